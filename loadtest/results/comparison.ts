import { median } from '../../shared/statistics/quantile.ts';
import { estimateShift, leastRuns } from '../measure/rankTest.ts';
import { type Campaign, usable } from './campaign.ts';
import type { Comparison } from './comparedFigure.ts';
import type { RunResult } from './runResult.ts';

/** What of a run is held against a baseline; NaN where it was not measured. All are better the smaller they are. */
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

/** The chance that anything is called worse although nothing has changed, over all figures; and the same for better. */
const CHANCE = 0.05;

/** What is no difference to anybody: a share of the baseline's median. */
const SAME = 0.05;

/**
 * Holds every figure that both have against the baseline's at the same rate, by the exact test of Mann and Whitney over runs that say
 * something of the server. The level is shared out among all figures (Bonferroni), so that many of them are no reason for an alarm.
 *
 * @param isGate whether a figure that is worse fails the command
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

/** The level of each of so many figures. */
export function levelPerFigure(figures: number): number {
  return CHANCE / Math.max(1, figures);
}

/** What was measured of both, by rate and figure. */
export function pairFigures(now: readonly RunResult[], before: readonly RunResult[]) {
  const rates = [...new Set(usable(now).map(({ facts }) => facts.rate))].sort((a, b) => a - b);
  return rates.flatMap((rate) =>
    COMPARED.flatMap(({ name, unit, of }) => {
      const values = (runs: readonly RunResult[]) =>
        usable(runs.filter(({ facts }) => facts.rate === rate))
          .map(of)
          .filter(Number.isFinite);
      const pair = { rate, name, unit, now: values(now), before: values(before) };
      return pair.now.length > 0 && pair.before.length > 0 ? [pair] : [];
    }),
  );
}
