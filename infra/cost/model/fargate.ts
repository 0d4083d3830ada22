import type { Assumptions } from './assumptions.ts';
import type { Line } from './bill.ts';
import { type HostHour, hostHours, processesFor } from './hostLoad.ts';
import { hostUse, PLAIN_HANDSHAKE_BYTES } from './hostUse.ts';
import type { Plan } from './plan.ts';
import { DASHBOARDS, PONG_BYTES } from './serviceFacts.ts';
import { type Traffic, trafficOf } from './traffic.ts';
import { MONTH_HOURS, type Workload } from './workload.ts';

/** Sizes of a task with one host process: the smaller hold and do less, in proportion to their processor and memory. */
const SIZES = [
  { vcpu: 0.25, gb: 0.5 },
  { vcpu: 0.5, gb: 1 },
  { vcpu: 1, gb: 2 },
] as const;

/** Zones that the load balancer is in, each with an address. */
const ZONES = 2;

/**
 * What one capacity unit of a network load balancer has room for.
 *
 * Source: https://aws.amazon.com/elasticloadbalancing/pricing/
 */
const UNIT = {
  tls: { newASecond: 50, active: 3_000 },
  tcp: { newASecond: 800, active: 100_000 },
  bytesAnHour: 1_024 ** 3,
} as const;

/** Fargate tasks behind a network load balancer, in the size that costs least. */
export function fargatePlan(workload: Workload, assumed: Assumptions, usdOf: (lines: readonly Line[]) => number): Plan {
  const hours = hostHours(workload, assumed, assumed.fargateCoreFactor);
  const plans = SIZES.map((size) => planWith(size, hours, workload, assumed)).filter(
    ({ problems }) => problems.length === 0,
  );
  const [cheapest] = plans.toSorted((a, b) => usdOf(a.lines) - usdOf(b.lines));
  return (
    cheapest ?? {
      lines: [],
      machines: 0,
      problems: ['a host takes a whole task for itself: look for changes less often'],
      notes: [],
    }
  );
}

function planWith(
  { vcpu, gb }: (typeof SIZES)[number],
  hours: readonly HostHour[],
  workload: Workload,
  assumed: Assumptions,
): Plan {
  const isHourly = workload.servers === 'hourly';
  const needed = hours.map((hour) => processesFor(hour, assumed, vcpu));
  const most = Math.max(isHourly ? 0 : 1, ...needed);
  if (most === Number.POSITIVE_INFINITY)
    return { lines: [], machines: 0, problems: ['too small for a host'], notes: [] };
  const activeHours = workload.days * needed.reduce((sum, tasks) => sum + (isHourly ? tasks : most), 0);
  const taskHours = isHourly ? activeHours : most * MONTH_HOURS;
  const balancerHours = isHourly ? workload.days * hours.length : MONTH_HOURS;
  const handshakeBytes = workload.tls ? assumed.handshakeBytes : PLAIN_HANDSHAKE_BYTES;
  const standing = (price: Line['price'], what: string, quantity: number): Line => {
    return { price, purpose: 'machines', what, quantity };
  };
  return {
    machines: most,
    problems: [],
    notes: [`${most} ${most === 1 ? 'task' : 'tasks'} of ${vcpu} vCPU and ${gb} GB`],
    lines: [
      standing('fargateVcpuHour', 'processors', taskHours * vcpu),
      standing('fargateGbHour', 'memory', taskHours * gb),
      standing('publicIpv4Hour', 'addresses of tasks', taskHours),
      standing('loadBalancerHour', 'load balancer', balancerHours),
      standing('publicIpv4Hour', 'addresses of the load balancer', balancerHours * ZONES),
      standing('loadBalancerUnitHour', 'what goes through it', workload.days * unitsADay(workload, assumed)),
      standing('dashboard', 'dashboard', DASHBOARDS),
      ...hostUse(workload, assumed, { processHours: activeHours, processes: most, handshakeBytes }),
    ],
  };
}

/** Capacity units times hours of a day: in each hour as many as its scarcest dimension takes. */
export function unitsADay(workload: Workload, assumed: Assumptions): number {
  const { newASecond, active } = workload.tls ? UNIT.tls : UNIT.tcp;
  const traffic = trafficOf(workload);
  const bytesPerConnectionHour =
    traffic.connectionHours > 0 ? bytesOut(workload, assumed, traffic) / traffic.connectionHours : 0;
  return traffic.hours.reduce((sum, { held, started }) => {
    const bytes = held * bytesPerConnectionHour;
    return sum + Math.max(started / 3_600 / newASecond, held / active, bytes / UNIT.bytesAnHour);
  }, 0);
}

/** Bytes of a month both ways: what comes in is as small as a pong. */
function bytesOut(workload: Workload, assumed: Assumptions, { pings, messages }: Traffic): number {
  const { handshakeBytes } = assumed;
  const out = hostUse(workload, assumed, { processHours: 0, processes: 0, handshakeBytes })
    .filter(({ price }) => price === 'dataOut')
    .reduce((sum, { quantity }) => sum + quantity, 0);
  return out * 1_024 ** 3 + (pings + messages) * (PONG_BYTES + assumed.frameBytes);
}
