import { type Line, standing } from '../../prices/bill.ts';
import { DASHBOARDS, HOST_DISK_GB, HOST_METRICS, T2_MICRO_GB } from '../../prices/serviceFacts.ts';
import { MONTH_HOURS } from '../../prices/tiers.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { whole } from '../workload/figures.ts';
import type { Workload } from '../workload/workload.ts';
import { CLOUDFRONT_REGION, hostSettings } from './deployCommand.ts';
import { connectionsIn, coresEach, fastPollNotes, type HostHour, hostHours } from './hostCapacity.ts';
import { behindCloudFront, hostDataLines, PLAIN_HANDSHAKE_BYTES } from './hostData.ts';
import { missingTls, type Sizing } from './sizing.ts';

/** The setting without which the credits of a machine may run out. */
export const UNLIMITED_CREDITS = 'host.credits=unlimited';

/** One public t2.micro, behind CloudFront where it has TLS, whether the workload fits it or not. It is there all month. */
export function singleT2(workload: Workload, assumed: Assumptions): Sizing {
  const { days, credits, tls } = workload;
  const isUnlimited = credits === 'unlimited';
  const hours = hostHours(workload, assumed, assumed.t2CoreFactor);
  const used = hours.map((hour) => Math.min(1, coresEach(hour, 1)));
  const lines: Line[] = [
    standing('t2MicroHour', 'machines', MONTH_HOURS),
    ...(isUnlimited ? [standing('t2SurplusHour', 'surplus credits', days * surplusHours(used))] : []),
    standing('diskGb', 'disks', HOST_DISK_GB),
    standing('publicIpv4Hour', 'addresses', MONTH_HOURS),
    standing('customMetric', 'metrics of machines and their agents', HOST_METRICS),
    ...hostDataLines(workload, assumed, {
      processHours: days * hours.length,
      processes: 1,
      handshakeBytes: tls ? assumed.handshakeBytes : PLAIN_HANDSHAKE_BYTES,
    }),
    standing('smallDashboard', 'dashboard of the host', DASHBOARDS),
  ];
  return {
    lines: tls ? behindCloudFront(lines, workload, assumed) : lines,
    settings: {
      'host.network': 'public',
      ...hostSettings('host', workload, CLOUDFRONT_REGION),
      ...(isUnlimited ? { 'host.credits': credits } : {}),
    },
    machines: 1,
    problems: problemsOf(hours, workload, assumed),
    lacks: ['failover: while the machine is down, no SDK receives changes', ...missingTls(workload)],
    notes: fastPollNotes(workload, 'host'),
  };
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
  } else if (credits === 'standard' && average > T2_MICRO_BASELINE) {
    problems.push(
      `needs ${percent(average)} CPU on average; its credits sustain ${percent(T2_MICRO_BASELINE)}, unless ${UNLIMITED_CREDITS}`,
    );
  }
  return problems;
}

/** Rounded up: a need just above a limit is not written as the limit. */
function percent(share: number): string {
  return `${Math.ceil(share * 100)} %`;
}

/**
 * Cores that a t2.micro may use for ever. With standard credits, it is held to this once the credits of quieter hours are used up.
 *
 * Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/burstable-credits-baseline-concepts.html
 */
const T2_MICRO_BASELINE = 0.1;

/** Cores that a t4g.micro may use for ever: a tenth of each of its two. By default, AWS charges for what it uses beyond that. */
export const T4G_MICRO_BASELINE = 0.2;

/**
 * Core-hours of a day beyond what a machine earns in it, which unlimited mode charges for. What is earned in quiet hours covers
 * busy ones: a day's earnings are just what can be kept.
 *
 * @param coresByHour used in each hour
 * @param baseline cores that the machine may use for ever
 */
export function surplusHours(coresByHour: readonly number[], baseline: number = T2_MICRO_BASELINE): number {
  const used = coresByHour.reduce((sum, cores) => sum + cores, 0);
  return Math.max(0, used - 24 * baseline);
}
