import { median } from '../../shared/statistics/quantile.ts';
import { type Campaign, isLimited, LIMITED, listRates, shownRuns } from '../results/campaign.ts';
import { T2_MICRO_BYTES } from '../results/published.ts';
import type { RunResult, Second } from '../results/runResult.ts';
import { type Chart, figure, type Series } from './document.ts';
import { mainTime, typicalRun } from './runTables.ts';

/** The typical run of a campaign at a rate. */
interface Typical {
  readonly name: string;
  /** Index of the campaign, for its line style. */
  readonly line: number;
  readonly run: RunResult;
  /** Whether the load generator limited it. */
  readonly isMuted: boolean;
}

/** The charts of campaigns of one scenario. Each rate has a color, and each target has a line style. */
export function makeCharts(campaigns: readonly Campaign[]): Chart[] {
  const all = campaigns.flatMap(listTypicalRuns);
  const times = ['sync', 'intended to reply', 'push', 'acknowledged to event'];
  const charts = [
    ...times.map((time) => distributionChart(all, time)),
    overTime(all, 'Data-sync P99 over time, medians of 5 s', 'ms', ({ syncP99 }) => syncP99, true),
    overTime(all, 'Reply P99 over time, medians of 5 s', 'ms', ({ replyP99 }) => replyP99, true),
    overTime(all, 'New connections', 'a second', ({ began }) => began),
    overTime(all, 'Open connections', 'connections', ({ open }) => open),
    overTime(all, 'CPU of the server', '% of a core', ({ serverCpu: cpu }) => cpu && cpu * 100),
    overTime(
      all,
      'Memory of the server',
      '% of 1 GiB',
      ({ serverMemory: bytes }) => bytes && (bytes / T2_MICRO_BYTES) * 100,
    ),
  ];
  return charts.filter(({ series }) => series.length > 0);
}

function listTypicalRuns({ facts, runs }: Campaign, line: number): Typical[] {
  return listRates(runs).flatMap((rate) => {
    const run = typicalRun(shownRuns(runs, rate), mainTime(facts));
    if (!run) return [];
    const isMuted = isLimited(run);
    return [{ name: `${facts.target}, ${rate}/s${isMuted ? ` ${LIMITED}` : ''}`, line, run, isMuted }];
  });
}

/** The share of all times below each time. The axis is logarithmic, because the slowest times matter most. */
function distributionChart(all: readonly Typical[], time: string): Chart {
  const series = all.flatMap(({ name, line, run, isMuted }): Series[] => {
    const summary = run.times[time];
    if (!summary) return [];
    const points = summary.curve.map(([share, ms]): [number, number] => [Math.max(ms, 0.01), share * 100]);
    return [{ name, of: `${run.facts.rate}/s`, line, isMuted, rest: `P99 ${figure(summary.p99)} ms`, points }];
  });
  return { title: `Distribution: ${time}`, x: 'milliseconds (log)', y: '% of all at most', isLogX: true, series };
}

/** Smooths the P99 of single seconds, which are based on few samples: each point becomes the median of five points around it. */
function smoothed(points: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  return points.map(([at], n) => [at, median(points.slice(Math.max(0, n - 2), n + 3).map(([, value]) => value))]);
}

function overTime(
  all: readonly Typical[],
  title: string,
  y: string,
  of: (second: Second) => number | undefined,
  isP99 = false,
): Chart {
  const series = all.flatMap(({ name, line, run, isMuted }): Series[] => {
    const [first] = run.seconds;
    const points = run.seconds.flatMap((second): [number, number][] => {
      const value = of(second);
      return value === undefined || first === undefined ? [] : [[second.at - first.at, value]];
    });
    const values = points.map(([, value]) => value);
    const rest = `median ${figure(median(values))}, most ${figure(Math.max(...values))}`;
    const shown = isP99 ? smoothed(points) : points;
    return points.length > 0 ? [{ name, of: `${run.facts.rate}/s`, line, isMuted, rest, points: shown }] : [];
  });
  return { title, x: 'seconds', y, isLogY: isP99, series };
}
