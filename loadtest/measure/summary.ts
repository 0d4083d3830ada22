import hdr from 'hdr-histogram-js';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import { rounded, type Times } from './slice.ts';

/** The shares on the curve of a distribution, denser towards the slowest times. */
const SHARES = [
  ...[0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98],
  ...[0.985, 0.99, 0.9925, 0.995, 0.9975, 0.999, 0.9995, 0.9999, 1],
];

/** The longest time of a histogram in microseconds: an hour. */
const LONGEST_US = 3_600_000_000;

/** The distribution of times in milliseconds. The error is at most 0.6 % (slices 0.5 %, histogram 0.1 %). */
export interface Summary
  extends Readonly<Record<'count' | 'min' | 'mean' | 'p50' | 'p75' | 'p90' | 'p95' | 'p99' | 'p999' | 'max', number>> {
  /** Share of all times, and the time below which it lies. */
  readonly curve: readonly (readonly [number, number])[];
}

/** The distribution of times in milliseconds. All figures are NaN without times. */
export function summariseMs(values: readonly number[]): Summary {
  return summarizeTimes([values.map((ms) => [rounded(ms), 1])]);
}

/** The distribution of the times of slices and workers. Undefined without times. */
export function summarise(parts: Iterable<Times>): Summary | undefined {
  const summary = summarizeTimes(parts);
  return summary.count === 0 ? undefined : summary;
}

/** The 99th percentile in milliseconds of a few times, without a histogram. Undefined without times. */
export function p99Of(parts: Iterable<Times>): number | undefined {
  const times = [...parts].flat().sort(([one], [other]) => one - other);
  let before = Math.ceil(0.99 * sumOf(times, ([, count]) => count));
  const found = times.find(([, count]) => {
    before -= count;
    return before <= 0;
  });
  return found && found[0] / 1_000;
}

function summarizeTimes(parts: Iterable<Times>): Summary {
  const histogram = hdr.build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: LONGEST_US,
    numberOfSignificantValueDigits: 3,
  });
  for (const times of parts) {
    for (const [us, count] of times) histogram.recordValueWithCount(Math.min(us, LONGEST_US), count);
  }
  const { totalCount: count } = histogram;
  const at = (share: number) => (count === 0 ? Number.NaN : histogram.getValueAtPercentile(share * 100) / 1_000);
  return {
    count,
    min: at(0),
    mean: count === 0 ? Number.NaN : histogram.mean / 1_000,
    p50: at(0.5),
    p75: at(0.75),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    p999: at(0.999),
    max: at(1),
    curve: SHARES.map((share) => [share, at(share)]),
  };
}
