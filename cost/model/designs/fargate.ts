import { type Line, standing } from '../../prices/bill.ts';
import {
  DASHBOARDS,
  FARGATE_ALARMS,
  LEAST_TASKS,
  MOST_TASKS,
  PONG_BYTES,
  SCALING_ALARMS,
  TASK_CONNECTIONS,
  TASK_VCPU,
} from '../../prices/serviceFacts.ts';
import { MONTH_HOURS } from '../../prices/tiers.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { type Traffic, trafficOf } from '../workload/traffic.ts';
import type { Workload } from '../workload/workload.ts';
import { type DeploySettings, hostSettings, STAGE } from './deployCommand.ts';
import { busyAlone, connectionsIn, fastPollNotes, type HostHour, hostHours, processesFor } from './hostCapacity.ts';
import { hostDataLines, PLAIN_HANDSHAKE_BYTES } from './hostData.ts';
import { vcpuNeeds } from './quotas.ts';
import { impossible, missingTls, type Sizing } from './sizing.ts';

/** Sizes of a task with one host process: the smaller hold and do less, in proportion to their processor and memory. */
const SIZES = [
  { vcpu: 0.25, gb: 0.5 },
  { vcpu: 0.5, gb: 1 },
  { vcpu: 1, gb: 2 },
] as const;

const REMOVAL = `remove them afterwards: npx cdk destroy Flagwire-${STAGE}-Fargate --exclusively -c stage=${STAGE}`;

/** Fargate tasks on ARM behind a network load balancer, two or more, in the size that costs least. */
export function sizeFargate(
  workload: Workload,
  assumed: Assumptions,
  usdOf: (lines: readonly Line[]) => number,
): Sizing {
  const hours = hostHours(workload, assumed, assumed.fargateCoreFactor);
  const sizings = SIZES.map((size) => sizingWith(size, hours, workload, assumed)).filter(
    ({ problems }) => problems.length === 0,
  );
  const [cheapest] = sizings.toSorted((a, b) => usdOf(a.lines) - usdOf(b.lines));
  return (
    cheapest ??
    impossible(
      connectionsIn(2, workload, assumed) > 0
        ? busyAlone(workload, 'a whole task', 'fargate')
        : 'the environments do not fit in the 2 GB of a task',
    )
  );
}

function sizingWith(
  { vcpu, gb }: (typeof SIZES)[number],
  hours: readonly HostHour[],
  workload: Workload,
  assumed: Assumptions,
): Sizing {
  const holds = Math.min(TASK_CONNECTIONS, connectionsIn(gb, workload, assumed));
  const tasks = Math.max(LEAST_TASKS, ...hours.map((hour) => processesFor(hour, holds, vcpu)));
  if (tasks === Number.POSITIVE_INFINITY || holds === 0) return impossible('too small for a host');
  const activeHours = workload.days * hours.length * tasks;
  const isTemporary = workload.servers === 'hourly';
  const taskHours = isTemporary ? activeHours : tasks * MONTH_HOURS;
  const handshakeBytes = workload.tls ? assumed.handshakeBytes : PLAIN_HANDSHAKE_BYTES;
  return {
    machines: tasks,
    settings: {
      ...taskSettings(vcpu, tasks, holds),
      ...hostSettings('fargate', workload, workload.region),
      ...(isTemporary ? { terminationProtection: false } : {}),
    },
    problems: [],
    overQuota: vcpuNeeds(tasks * vcpu),
    lacks: missingTls(workload),
    notes: [
      `${tasks} tasks of ${vcpu} vCPU and ${gb} GB`,
      ...(isTemporary ? [REMOVAL] : []),
      ...fastPollNotes(workload, 'fargate'),
    ],
    lines: [
      standing('fargateArmVcpuHour', 'processors', taskHours * vcpu),
      standing('fargateArmGbHour', 'memory', taskHours * gb),
      standing('publicIpv4Hour', 'addresses of tasks', taskHours),
      ...balancerLines(workload, assumed),
      standing('alarm', 'alarms of Fargate, and of its scaling', FARGATE_ALARMS + SCALING_ALARMS),
      standing('smallDashboard', 'dashboard of Fargate', DASHBOARDS),
      ...hostDataLines(workload, assumed, { processHours: activeHours, processes: tasks, handshakeBytes }),
    ],
  };
}

/** What makes the stack so, where it is not by default. */
function taskSettings(vcpu: number, tasks: number, holds: number): DeploySettings {
  return {
    ...(vcpu === TASK_VCPU ? {} : { 'fargate.vcpu': vcpu }),
    ...(tasks === LEAST_TASKS ? {} : { 'fargate.count': tasks }),
    ...(tasks > MOST_TASKS ? { 'fargate.maximum': tasks } : {}),
    ...(holds < TASK_CONNECTIONS ? { 'fargate.connections': holds } : {}),
  };
}

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

/** A network load balancer in front of hosts, in two zones: all month, or in the hours with connections. */
function balancerLines(workload: Workload, assumed: Assumptions): Line[] {
  const hours = workload.servers === 'hourly' ? workload.days * trafficOf(workload).hours.length : MONTH_HOURS;
  return [
    standing('loadBalancerHour', 'load balancer', hours),
    standing('publicIpv4Hour', 'addresses of the load balancer', hours * ZONES),
    standing('loadBalancerUnitHour', 'load balancer capacity units', workload.days * unitsADay(workload, assumed)),
  ];
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
function bytesOut(workload: Workload, assumed: Assumptions, { pings }: Traffic): number {
  const { handshakeBytes } = assumed;
  const out = hostDataLines(workload, assumed, { processHours: 0, processes: 0, handshakeBytes })
    .filter(({ price }) => price === 'dataOut')
    .reduce((sum, { quantity }) => sum + quantity, 0);
  return out * 1_024 ** 3 + pings * (PONG_BYTES + assumed.frameBytes);
}
