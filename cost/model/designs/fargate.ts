import { type Line, standing } from '../../prices/bill.ts';
import {
  DASHBOARDS,
  FARGATE_ALARMS,
  LEAST_TASKS,
  MOST_TASKS,
  SCALING_ALARMS,
  TASK_CONNECTIONS,
  TASK_VCPU,
} from '../../prices/serviceFacts.ts';
import { MONTH_HOURS } from '../../prices/tiers.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import type { Workload } from '../workload/workload.ts';
import { balancerLines } from './balancer.ts';
import { type DeploySettings, hostSettings, temporary } from './deployCommand.ts';
import { hostDataLines, PLAIN_HANDSHAKE_BYTES } from './hostData.ts';
import { connectionsIn } from './hostMemory.ts';
import { busyAlone, fastPollNotes, type HostHour, hostHours, processesFor } from './hostProcessor.ts';
import { vcpuNeeds } from './quotas.ts';
import { impossible, missingTls, type Sizing } from './sizing.ts';

/** Sizes of a task with one host process: the smaller hold and do less, in proportion to their processor and memory. */
const SIZES = [
  { vcpu: 0.25, gb: 0.5 },
  { vcpu: 0.5, gb: 1 },
  { vcpu: 1, gb: 2 },
] as const;

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
  const taskHours = workload.servers === 'hourly' ? activeHours : tasks * MONTH_HOURS;
  const handshakeBytes = workload.tls ? assumed.handshakeBytes : PLAIN_HANDSHAKE_BYTES;
  const { settings, notes } = temporary(workload, 'Fargate');
  return {
    machines: tasks,
    settings: {
      ...taskSettings(vcpu, tasks, holds),
      ...hostSettings('fargate', workload, workload.region),
      ...settings,
    },
    problems: [],
    overQuota: vcpuNeeds(tasks * vcpu),
    lacks: missingTls(workload),
    notes: [`${tasks} tasks of ${vcpu} vCPU and ${gb} GB`, ...notes, ...fastPollNotes(workload, 'fargate')],
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
