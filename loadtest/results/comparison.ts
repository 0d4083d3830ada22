import { median } from '../../shared/statistics/quantile.ts';
import { type Campaign, listRates, runsAt, usable } from './campaign.ts';
import type { RunResult } from './runResult.ts';
import type { ComparedFigure, Comparison } from './schema.ts';

/** The compared figures of a run. NaN if not measured. A smaller figure is better. */
export const COMPARED: readonly {
  readonly name: string;
  readonly unit: string;
  readonly of: (run: RunResult) => number;
}[] = [
  ...(['handshake.p99', 'sync.p50', 'sync.p99', 'send to reply.p99', 'push.p99'] as const).map((name) => {
    const [time = '', share] = name.split('.') as [string, 'p50' | 'p99'];
    return { name, unit: 'ms', of: ({ times }: RunResult) => times[time]?.[share] ?? Number.NaN };
  }),
  { name: 'errors', unit: '% of connections', of: ({ errorPercent }) => errorPercent },
  { name: 'CPU, ramp', unit: '% of a core', of: ({ server }) => (server?.cpuRamp ?? Number.NaN) * 100 },
  { name: 'memory, hold', unit: 'MiB', of: ({ server }) => (server?.memoryHold ?? Number.NaN) / 1024 ** 2 },
];

/** The least number of usable runs of each campaign. */
export const LEAST_RUNS = 3;

/** A smaller change, as a share of the baseline's median, counts as no change. */
const SAME = 0.05;

/**
 * Compares each figure of usable runs with the baseline's figure at the same rate.
 *
 * @param isGate whether a worse figure fails the command
 */
export function compare(campaign: Campaign, baseline: Campaign, isGate: boolean): Comparison {
  const { startedAt, versions } = baseline.facts;
  const figures = pairFigures(campaign.runs, baseline.runs).map(({ now, before, ...about }) => ({
    ...about,
    runs: { before: before.length, now: now.length },
    before: median(before),
    now: median(now),
    ranges: { before: measureRange(before), now: measureRange(now) },
    change: median(now) - median(before),
    verdict: decideVerdict(now, before),
  }));
  return { baseline: { startedAt, commit: versions.commit }, isGate, figures };
}

/** Compares runs: a difference counts if the ranges do not overlap, and the medians differ by at least {@link SAME}. */
function decideVerdict(now: readonly number[], before: readonly number[]): ComparedFigure['verdict'] {
  if (Math.min(now.length, before.length) < LEAST_RUNS) return 'unclear';
  const change = median(now) - median(before);
  if (change === 0 || Math.abs(change) < SAME * median(before)) return 'same';
  if (Math.min(...now) > Math.max(...before)) return 'worse';
  return Math.max(...now) < Math.min(...before) ? 'better' : 'unclear';
}

function measureRange(values: readonly number[]): [min: number, max: number] {
  return [Math.min(...values), Math.max(...values)];
}

/** The values of both, by rate and figure. */
function pairFigures(now: readonly RunResult[], before: readonly RunResult[]) {
  return listRates(usable(now)).flatMap((rate) =>
    COMPARED.flatMap(({ name, unit, of }) => {
      const values = (runs: readonly RunResult[]) => runsAt(runs, rate).map(of).filter(Number.isFinite);
      const pair = { rate, name, unit, now: values(now), before: values(before) };
      return pair.now.length > 0 && pair.before.length > 0 ? [pair] : [];
    }),
  );
}
