import { median, medianItem } from '../../shared/statistics/quantile.ts';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import {
  type Campaign,
  isLimited,
  LIMITED,
  listRates,
  medianOver,
  runsAt,
  shownRuns,
  usable,
} from '../results/campaign.ts';
import { PUBLISHED_TABLES, published } from '../results/published.ts';
import type { RunResult } from '../results/runResult.ts';
import { figure, type Table, times } from './document.ts';

/** The order of times in tables. */
const TIMES = [
  ...['handshake', 'sync', 'connect and sync', 'send to reply', 'intended to reply', 'push'],
  ...['acknowledged to event', 'acknowledged to first', 'acknowledged to last'],
];

/** FeatBit's three tables: each figure as published, as measured (median over runs), and the ratio. At rates that FeatBit did not publish, only our figures. */
export function referenceTables({ facts, runs }: Campaign): Table[] {
  const rates = listRates(runs);
  const isPublished = published.some(({ rate }) => rates.includes(rate));
  return PUBLISHED_TABLES.map(({ title, unit, figures }) => ({
    caption: `${title}, ${unit}`,
    head: [
      'new/s',
      ...figures.flatMap(({ name }) =>
        isPublished ? [`${name} published`, facts.target, 'ratio'] : [`${name}, ${facts.target}`],
      ),
    ],
    rows: rates.map((rate) => {
      const row = published.find((each) => each.rate === rate);
      const cells = figures.flatMap((each) => {
        const [theirs, ours] = [row && each.published(row), medianOver(runsAt(runs, rate), each.ours)];
        if (!isPublished) return [figure(ours)];
        const ratio = theirs === undefined || ours === undefined ? '–' : times(ours / theirs);
        return [figure(theirs), figure(ours), ratio];
      });
      return [rate, ...cells];
    }),
  }));
}

/** The distribution of times of the typical run at each rate. */
export function timesTable({ facts, runs }: Campaign): Table {
  const rows = listRates(runs).flatMap((rate) => {
    const run = typicalRun(shownRuns(runs, rate), mainTime(facts));
    const label = run && isLimited(run) ? `${rate} ${LIMITED}` : rate;
    return TIMES.flatMap((name) => {
      const summary = run?.times[name];
      if (!summary) return [];
      const { count, min, p50, p95, p99, p999, max } = summary;
      return [[label, name, count.toLocaleString('en'), ...[min, p50, p95, p99, p999, max].map(figure)]];
    });
  });
  return {
    caption: 'Times in milliseconds, of the run with the median P99 at each rate',
    head: ['new/s', 'time', 'count', 'min', 'P50', 'P95', 'P99', 'P99.9', 'max'],
    rows,
  };
}

/** The differences between runs. */
export function spreadTable({ facts, runs }: Campaign): Table {
  const time = mainTime(facts);
  const rows = listRates(runs).map((rate) => {
    const made = runs.filter((run) => run.facts.rate === rate);
    const used = usable(made);
    const p99 = used.flatMap(({ times }) => times[time]?.p99 ?? []);
    const errors = sumOf(used, ({ counts }) => counts['errors'] ?? 0);
    const spread = [median(p99), Math.min(...p99), Math.max(...p99)].map(figure);
    return [rate, `${used.length} of ${made.length}`, ...spread, used.length > 0 ? errors : '–'];
  });
  return {
    caption: `P99 of ${time} over runs, in milliseconds`,
    head: ['new/s', 'runs used', 'median', 'min', 'max', 'errors'],
    rows,
  };
}

/** The state of the load generator in each run. */
export function generatorTable({ facts: campaign, runs }: Campaign): Table {
  const time = mainTime(campaign);
  return {
    caption: 'Load generator: rate, CPU use after all connections are open, and event loop delay (P99)',
    head: ['new/s', 'run', `${time} P99 ms`, 'workers', 'reached', 'CPU %', 'late ms', 'verdict'],
    rows: runs.map(({ facts, times, generator, invalid, partial }) => [
      facts.rate,
      facts.number,
      partial === undefined && invalid.length === 0 ? figure(times[time]?.p99) : `(${figure(times[time]?.p99)})`,
      facts.workers,
      figure(generator.achieved),
      figure(generator.cpu * 100),
      figure(generator.lagMs),
      partial !== undefined ? `partial: ${partial}` : invalid.length > 0 ? `INVALID: ${invalid.join('; ')}` : 'good',
    ]),
  };
}

/** The main time of a campaign: that of its first threshold. */
export function mainTime({ ensure }: Campaign['facts']): string {
  const [name = 'sync'] = Object.keys(ensure[0] ?? {});
  return name.replace(/\.[^.]*$/, '');
}

/** The run with the median P99 of a time. */
export function typicalRun(runs: readonly RunResult[], time: string): RunResult | undefined {
  return medianItem(runs, ({ times }) => times[time]?.p99 ?? 0);
}
