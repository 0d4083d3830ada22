import { type Line, standing } from '../../prices/bill.ts';
import {
  DASHBOARDS,
  HOST_ALARMS,
  HOST_DISK_GB,
  HOST_METRICS,
  MOST_MACHINES,
  T2_MICRO_GB,
} from '../../prices/serviceFacts.ts';
import { MONTH_HOURS } from '../../prices/tiers.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { count, whole } from '../workload/figures.ts';
import type { Workload } from '../workload/workload.ts';
import { balancerLines, TARGET_CONNECTIONS } from './balancer.ts';
import { behindCloudFront } from './cloudFront.ts';
import { hoursUntilThrottled, surplusHours, T2_MICRO_CREDITS } from './credits.ts';
import { CLOUDFRONT_REGION, type DeploySettings, hostSettings, temporary } from './deployCommand.ts';
import { hostDataLines, PLAIN_HANDSHAKE_BYTES } from './hostData.ts';
import { connectionsIn } from './hostMemory.ts';
import { busyAlone, coresEach, fastPollNotes, type HostHour, hostHours, processesFor } from './hostProcessor.ts';
import { impossible, missingTls, type Sizing } from './sizing.ts';

/** Machines of a fleet at least, so that one may fail. */
const LEAST_MACHINES = 2;

const HOURS_OF_YEAR = 8_760;

/** The setting without which the credits of a machine may run out. */
export const UNLIMITED_CREDITS = 'host.credits=unlimited';

/** One public t2.micro, behind CloudFront where it has TLS, whether the workload fits it or not. It is there all month. */
export function singleT2(workload: Workload, assumed: Assumptions): Sizing {
  const hours = hostHours(workload, assumed, assumed.t2CoreFactor);
  const always = { ...workload, servers: 'always' as const };
  const lines = [
    ...machineLines(hours, always, assumed, 1),
    standing('smallDashboard', 'dashboard of the host', DASHBOARDS),
  ];
  return {
    lines: workload.tls ? behindCloudFront(lines, always, assumed) : lines,
    settings: machineSettings(workload, CLOUDFRONT_REGION),
    machines: 1,
    problems: problemsOf(hours, workload, assumed),
    lacks: ['failover: while the machine is down, no SDK receives changes', ...missingTls(workload)],
    notes: fastPollNotes(workload, 'host'),
  };
}

/** As many t2.micro as the workload needs behind a network load balancer, two at least, so that one may fail. */
export function t2Fleet(workload: Workload, assumed: Assumptions): Sizing {
  const hours = hostHours(workload, assumed, assumed.t2CoreFactor);
  const holds = Math.min(TARGET_CONNECTIONS, connectionsIn(T2_MICRO_GB, workload, assumed));
  const needed = hours.map((hour) => processesFor(hour, holds));
  const machines = Math.max(LEAST_MACHINES, leastForCredits(hours, workload), ...needed);
  if (holds === 0) return impossible(`the environments do not fit in the ${T2_MICRO_GB} GB of a machine`);
  if (machines === Number.POSITIVE_INFINITY) {
    const what = workload.credits === 'unlimited' ? 'a whole machine' : 'the credits of a whole machine';
    return impossible(busyAlone(workload, what, 'host'));
  }
  const { settings, notes } = temporary(workload, 'Host');
  return {
    lines: [
      ...machineLines(hours, workload, assumed, machines),
      standing('alarm', 'alarms of the hosts', HOST_ALARMS),
      standing('smallDashboard', 'dashboard of the hosts', DASHBOARDS),
      ...balancerLines(workload, assumed),
    ],
    settings: { 'host.count': machines, ...machineSettings(workload, workload.region), ...settings },
    machines,
    problems:
      machines > MOST_MACHINES ? [`needs ${whole(machines)} machines; host.count is at most ${MOST_MACHINES}`] : [],
    lacks: missingTls(workload),
    notes: [...notes, ...fastPollNotes(workload, 'host')],
  };
}

/** What makes machines so, where they are not by default. */
function machineSettings(workload: Workload, certificateRegion: string): DeploySettings {
  return {
    'host.network': 'public',
    ...hostSettings('host', workload, certificateRegion),
    ...(workload.credits === 'unlimited' ? { 'host.credits': workload.credits } : {}),
  };
}

/** The lines of so many machines, without what is in front of them. */
function machineLines(hours: readonly HostHour[], workload: Workload, assumed: Assumptions, machines: number): Line[] {
  const { days, credits, servers, tls } = workload;
  const isHourly = servers === 'hourly';
  const activeHours = days * hours.length * machines;
  const machineHours = isHourly ? activeHours : machines * MONTH_HOURS;
  const months = machineHours / MONTH_HOURS;
  const used = hours.map((hour) => machines * Math.min(1, coresEach(hour, machines)));
  const surplus = days * surplusHours(used, machines * (isHourly ? hours.length : 24));
  return [
    standing('t2MicroHour', 'machines', machineHours),
    ...(credits === 'unlimited' ? [standing('t2SurplusHour', 'surplus credits', surplus)] : []),
    standing('diskGb', 'disks', months * HOST_DISK_GB),
    standing('publicIpv4Hour', 'addresses', machineHours),
    standing('customMetric', 'metrics of machines and their agents', months * HOST_METRICS),
    ...hostDataLines(workload, assumed, {
      processHours: activeHours,
      processes: machines,
      handshakeBytes: tls ? assumed.handshakeBytes : PLAIN_HANDSHAKE_BYTES,
    }),
  ];
}

/**
 * In standard mode a machine may use what it earns while it runs, a tenth of its core, and what it starts with: that can
 * take more machines than the busiest hour.
 */
function leastForCredits(hours: readonly HostHour[], { credits, servers }: Workload): number {
  if (credits === 'unlimited' || hours.length === 0) return 1;
  const cores = hours.reduce((sum, hour) => sum + hour.cores, 0);
  const own = hours.reduce((sum, hour) => sum + hour.ownCores, 0);
  const { baseline, atLaunch } = T2_MICRO_CREDITS;
  const covered = servers === 'hourly' ? hours.length * baseline + atLaunch / 60 : 24 * baseline;
  const room = covered - own;
  return room > 0 ? Math.max(1, Math.ceil(cores / room)) : Number.POSITIVE_INFINITY;
}

function problemsOf(hours: readonly HostHour[], workload: Workload, assumed: Assumptions): string[] {
  const { credits } = workload;
  const holds = connectionsIn(T2_MICRO_GB, workload, assumed);
  const held = Math.max(0, ...hours.map((hour) => hour.held));
  const busiest = Math.max(0, ...hours.map((hour) => coresEach(hour, 1)));
  const average = hours.reduce((sum, hour) => sum + coresEach(hour, 1), 0) / 24;
  const problems: string[] = [];
  if (holds === 0) problems.push(`the environments do not fit in its ${T2_MICRO_GB} GB of memory`);
  else if (held > holds)
    problems.push(`holds at most ${whole(holds)} connections, and the busiest hour has ${whole(held)}`);
  if (busiest > 1) {
    problems.push(`needs ${(Math.ceil(busiest * 10) / 10).toFixed(1)} cores in the busiest hour, and has one`);
  } else if (credits === 'standard' && average > T2_MICRO_CREDITS.baseline) {
    const left = hoursUntilThrottled(busiest);
    const lasting = left > HOURS_OF_YEAR ? 'last more than a year' : `run out after ${count(left)} h`;
    problems.push(
      `needs ${percent(average)} CPU on average; its credits sustain ${percent(T2_MICRO_CREDITS.baseline)} and ${lasting} of peak load, unless ${UNLIMITED_CREDITS}`,
    );
  }
  return problems;
}

/** Rounded up: a need just above a limit is not written as the limit. */
function percent(share: number): string {
  return `${Math.ceil(share * 100)} %`;
}
