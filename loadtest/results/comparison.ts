import { median } from '../../shared/statistics/quantile.ts';
import { estimateShift, leastRuns } from '../measure/rankTest.ts';
import { type Campaign, listRates, runsAt, usable } from './campaign.ts';
import type { RunResult } from './runResult.ts';
import type { Comparison } from './schema.ts';

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

/** The probability of any "worse" verdict if nothing changed, over all figures. The same applies to "better". */
const CHANCE = 0.05;

/** A smaller change, as a share of the baseline's median, counts as no change. */
const SAME = 0.05;

/**
 * Compares each figure with the baseline's figure at the same rate, by the exact Mann–Whitney test over usable runs. The level is
 * divided by the number of figures (Bonferroni correction).
 *
 * @param isGate whether a worse figure fails the command
 */
export function compare(campaign: Campaign, baseline: Campaign, isGate: boolean): Comparison {
  const pairs = pairFigures(campaign.runs, baseline.runs);
  const level = levelPerFigure(pairs.length);
  const { startedAt, versions } = baseline.facts;
  return {
    baseline: { startedAt, commit: versions.commit },
    isGate,
    level,
    leastRuns: leastRuns(level),
    figures: pairs.map(({ now, before, ...about }) => {
      const { estimate: change, isAbove, chance, interval } = estimateShift(now, before, level);
      const [was, is] = [median(before), median(now)];
      const isSame = interval?.every((end) => Math.abs(end) <= SAME * was) ?? false;
      const verdict = isSame ? 'same' : chance > level ? 'unclear' : isAbove ? 'worse' : 'better';
      return {
        ...about,
        runs: { before: before.length, now: now.length },
        before: was,
        now: is,
        change,
        ...(interval && { interval }),
        chance,
        verdict,
      };
    }),
  };
}

/** The level of each figure. */
export function levelPerFigure(figures: number): number {
  return CHANCE / Math.max(1, figures);
}

/** The values of both, by rate and figure. */
export function pairFigures(now: readonly RunResult[], before: readonly RunResult[]) {
  return listRates(usable(now)).flatMap((rate) =>
    COMPARED.flatMap(({ name, unit, of }) => {
      const values = (runs: readonly RunResult[]) => runsAt(runs, rate).map(of).filter(Number.isFinite);
      const pair = { rate, name, unit, now: values(now), before: values(before) };
      return pair.now.length > 0 && pair.before.length > 0 ? [pair] : [];
    }),
  );
}
