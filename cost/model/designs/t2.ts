import { type Line, standing } from '../../prices/bill.ts';
import { DASHBOARDS, HOST_DISK_GB, HOST_METRICS, T2_MICRO_GB } from '../../prices/serviceFacts.ts';
import { MONTH_HOURS } from '../../prices/tiers.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { count, whole } from '../workload/figures.ts';
import type { Workload } from '../workload/workload.ts';
import { behindCloudFront } from './cloudFront.ts';
import { hoursUntilThrottled, surplusHours, T2_MICRO_CREDITS } from './credits.ts';
import { CLOUDFRONT_REGION, type DeploySettings, hostSettings } from './deployCommand.ts';
import { hostDataLines, PLAIN_HANDSHAKE_BYTES } from './hostData.ts';
import { connectionsIn } from './hostMemory.ts';
import { coresEach, fastPollNotes, type HostHour, hostHours } from './hostProcessor.ts';
import { missingTls, type Sizing } from './sizing.ts';

const HOURS_OF_YEAR = 8_760;

/** The setting without which the credits of a machine may run out. */
export const UNLIMITED_CREDITS = 'host.credits=unlimited';

/** One public t2.micro, behind CloudFront where it has TLS, whether the workload fits it or not. It is there all month. */
export function singleT2(workload: Workload, assumed: Assumptions): Sizing {
  const hours = hostHours(workload, assumed, assumed.t2CoreFactor);
  const always = { ...workload, servers: 'always' as const };
  const lines = [
    ...machineLines(hours, always, assumed),
    standing('smallDashboard', 'dashboard of the host', DASHBOARDS),
  ];
  return {
    lines: workload.tls ? behindCloudFront(lines, always, assumed) : lines,
    settings: machineSettings(workload),
    machines: 1,
    problems: problemsOf(hours, workload, assumed),
    lacks: ['failover: while the machine is down, no SDK receives changes', ...missingTls(workload)],
    notes: fastPollNotes(workload, 'host'),
  };
}

/** What makes the machine so, where it is not by default. */
function machineSettings(workload: Workload): DeploySettings {
  return {
    'host.network': 'public',
    ...hostSettings('host', workload, CLOUDFRONT_REGION),
    ...(workload.credits === 'unlimited' ? { 'host.credits': workload.credits } : {}),
  };
}

/** The lines of the machine, without what is in front of it. */
function machineLines(hours: readonly HostHour[], workload: Workload, assumed: Assumptions): Line[] {
  const { days, credits, tls } = workload;
  const used = hours.map((hour) => Math.min(1, coresEach(hour, 1)));
  return [
    standing('t2MicroHour', 'machines', MONTH_HOURS),
    ...(credits === 'unlimited' ? [standing('t2SurplusHour', 'surplus credits', days * surplusHours(used, 24))] : []),
    standing('diskGb', 'disks', HOST_DISK_GB),
    standing('publicIpv4Hour', 'addresses', MONTH_HOURS),
    standing('customMetric', 'metrics of machines and their agents', HOST_METRICS),
    ...hostDataLines(workload, assumed, {
      processHours: days * hours.length,
      processes: 1,
      handshakeBytes: tls ? assumed.handshakeBytes : PLAIN_HANDSHAKE_BYTES,
    }),
  ];
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
