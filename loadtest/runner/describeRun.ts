import type { RunResult } from '../results/runResult.ts';
import { countConnections } from '../scenarios/plan.ts';

/** One run in a line. A connection may ask more than once: for another user, and when it came back. */
export function describeRun({ facts, times, errorPercent, counts, partial, invalid, server }: RunResult): string {
  const { sync, push } = times;
  const ms = (value: number) => `${Number(value.toPrecision(3))} ms`;
  const parts = [
    `${facts.scenario} ${facts.rate}/s, run ${facts.number}`,
    `${counts['began'] ?? 0} of ${Math.round(countConnections(facts.plan))} connections`,
    `${counts['syncs answered'] ?? 0} of ${counts['syncs sent'] ?? 0} data-syncs answered`,
    ...(sync ? [`mean ${ms(sync.mean)}, P95 ${ms(sync.p95)}, P99 ${ms(sync.p99)}`] : []),
    ...(push ? [`push P99 ${ms(push.p99)}`] : []),
    `errors ${Number(errorPercent.toPrecision(3))} %`,
    ...(server ? [`CPU ${Math.round(server.cpuRamp * 100)} % / ${Math.round(server.cpuHold * 100)} %`] : []),
    ...(partial !== undefined ? [`PARTIAL: ${partial}`] : []),
    ...invalid.map((why) => `INVALID: ${why}`),
  ];
  return parts.join(' · ');
}
