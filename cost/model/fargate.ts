import type { Line } from '../prices/bill.ts';
import {
  DASHBOARDS,
  FARGATE_ALARMS,
  LEAST_TASKS,
  MOST_TASKS,
  TASK_CONNECTIONS,
  TASK_VCPU,
} from '../prices/serviceFacts.ts';
import { MONTH_HOURS } from '../prices/tiers.ts';
import type { Assumptions } from './assumptions.ts';
import { balancerLines } from './balancer.ts';
import { share } from './figures.ts';
import { hostDataLines, PLAIN_HANDSHAKE_BYTES } from './hostData.ts';
import { connectionsIn } from './hostMemory.ts';
import { type HostHour, hostHours, processesFor } from './hostProcessor.ts';
import { impossible, type Plan } from './plan.ts';
import type { Workload } from './workload.ts';

/** Sizes of a task with one host process: the smaller hold and do less, in proportion to their processor and memory. */
const SIZES = [
  { vcpu: 0.25, gb: 0.5 },
  { vcpu: 0.5, gb: 1 },
  { vcpu: 1, gb: 2 },
] as const;

/** Whether tasks run on capacity that AWS has to spare, for a part of the price. */
type Capacity = 'on-demand' | 'spot';

/** Fargate tasks on ARM behind a network load balancer, two or more, in the size that costs least. */
export function fargatePlan(
  workload: Workload,
  assumed: Assumptions,
  capacity: Capacity,
  usdOf: (lines: readonly Line[]) => number,
): Plan {
  const hours = hostHours(workload, assumed, assumed.fargateCoreFactor);
  const plans = SIZES.map((size) => planWith(size, hours, workload, assumed, capacity)).filter(
    ({ problems }) => problems.length === 0,
  );
  const [cheapest] = plans.toSorted((a, b) => usdOf(a.lines) - usdOf(b.lines));
  return (
    cheapest ??
    impossible(
      connectionsIn(2, workload, assumed) > 0
        ? 'a host takes a whole task for itself: look for changes less often'
        : 'the environments do not fit the 2 GB of a task',
    )
  );
}

function planWith(
  { vcpu, gb }: (typeof SIZES)[number],
  hours: readonly HostHour[],
  workload: Workload,
  assumed: Assumptions,
  capacity: Capacity,
): Plan {
  const isHourly = workload.servers === 'hourly';
  const holds = Math.min(TASK_CONNECTIONS, connectionsIn(gb, workload, assumed));
  const needed = hours.map((hour) => Math.max(LEAST_TASKS, processesFor(hour, holds, vcpu)));
  const most = Math.max(isHourly ? 0 : LEAST_TASKS, ...needed);
  if (most === Number.POSITIVE_INFINITY || holds === 0) return impossible('too small for a host');
  const activeHours = workload.days * needed.reduce((sum, tasks) => sum + (isHourly ? tasks : most), 0);
  const taskHours = isHourly ? activeHours : most * MONTH_HOURS;
  const handshakeBytes = workload.tls ? assumed.handshakeBytes : PLAIN_HANDSHAKE_BYTES;
  const isSpot = capacity === 'spot';
  // What Spot costs follows the price of other tasks: it is so much less of them.
  const paid = isSpot ? assumed.spotPriceShare : 1;
  const standing = (price: Line['price'], what: string, quantity: number): Line => {
    return { price, purpose: 'machines', what, quantity };
  };
  return {
    machines: most,
    problems: [],
    ...(isSpot ? { guesses: [`Spot has no list price, ${share(paid)} of that of other tasks is assumed`] } : {}),
    lacks: [
      ...(isSpot ? ['certainty: AWS may take its tasks back with two minutes’ notice, and may have none to give'] : []),
      ...(workload.tls ? [] : ['TLS: pages on https cannot connect to it']),
    ],
    notes: [`${most} tasks of ${vcpu} vCPU and ${gb} GB${settingsFor(vcpu, most, holds, isSpot)}`],
    lines: [
      standing(
        'fargateArmVcpuHour',
        isSpot ? 'processors, at the part that Spot costs' : 'processors',
        taskHours * vcpu * paid,
      ),
      standing('fargateArmGbHour', isSpot ? 'memory, at the part that Spot costs' : 'memory', taskHours * gb * paid),
      standing('publicIpv4Hour', 'addresses of tasks', taskHours),
      ...balancerLines(workload, assumed),
      standing('alarm', 'alarms', FARGATE_ALARMS),
      standing('smallDashboard', 'dashboard', DASHBOARDS),
      ...hostDataLines(workload, assumed, { processHours: activeHours, processes: most, handshakeBytes }),
    ],
  };
}

/** What makes the stack so, where it is not by default. */
function settingsFor(vcpu: number, most: number, holds: number, isSpot: boolean): string {
  const settings = [
    ...(vcpu === TASK_VCPU ? [] : [`fargate.vcpu=${vcpu}`]),
    ...(holds < TASK_CONNECTIONS ? [`fargate.connections=${holds}`] : []),
    ...(most > MOST_TASKS ? [`fargate.maximum=${most}`] : []),
    ...(isSpot ? ['fargate.spotPercent=100'] : []),
  ];
  return settings.length > 0 ? ` (${settings.map((setting) => `--set ${setting}`).join(' ')})` : '';
}
