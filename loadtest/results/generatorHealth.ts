import { mean, quantile } from '../../shared/statistics/quantile.ts';
import type { GeneratorHealth } from '../measure/bottlenecks.ts';
import type { Slice } from '../measure/slice.ts';
import type { RunFacts } from './runFiles.ts';

/**
 * How the generator did, without the last second of each worker, in which all connections close: the share that all workers
 * used of their cores while none opened connections (artillery's timer spins while it does), and how late event loops
 * were (P99 of a second) in 19 of 20 seconds, by the worst worker.
 */
export function measureHealth(
  workers: readonly (readonly Slice[])[],
  { plan, cores, others }: RunFacts,
): GeneratorHealth {
  const lastOpening = most(workers.flat().map((slice) => (beganIn(slice) > 0 ? slice.at : 0)));
  return {
    cpu:
      workers.reduce((sum, slices) => sum + meanOrZero(waiting(slices, lastOpening).map(({ cpu }) => cpu)), 0) / cores,
    lagMs: most(
      workers.map(
        (slices) =>
          quantile(
            slices.slice(0, -1).map(({ lagMs }) => lagMs),
            0.95,
          ) || 0,
      ),
    ),
    intended: intendedBy(plan),
    achieved: meanOrZero(whole(beganBySecond(workers.flat()))),
    ...(others !== undefined && { others }),
  };
}

/** The rate while connections are opened. */
function intendedBy({ phases }: RunFacts['plan']): number {
  const opening = phases.flatMap((phase) => ('arrivalRate' in phase ? [phase] : []));
  const seconds = opening.reduce((sum, { duration }) => sum + duration, 0);
  return opening.reduce((sum, { duration, arrivalRate }) => sum + duration * arrivalRate, 0) / Math.max(1, seconds);
}

/** Connections that were begun in each second, over all workers. */
function beganBySecond(slices: readonly Slice[]): number[] {
  const first = Math.min(...slices.map(({ at }) => at));
  const counts: number[] = [];
  for (const slice of slices) counts[slice.at - first] = (counts[slice.at - first] ?? 0) + beganIn(slice);
  return Array.from(counts, (count) => count ?? 0);
}

/** Seconds in the middle of opening: the first and the last are opened in for a part only. */
function whole(counts: readonly number[]): number[] {
  const inner = counts.filter((count, n) => (counts[n - 1] ?? 0) > 0 && count > 0 && (counts[n + 1] ?? 0) > 0);
  return inner.length > 0 ? inner : counts.filter((count) => count > 0);
}

function beganIn({ counters }: Slice): number {
  return counters['began'] ?? 0;
}

/** Seconds after everything was opened and before everybody leaves. */
function waiting(slices: readonly Slice[], lastOpening: number): readonly Slice[] {
  return slices.slice(0, -1).filter(({ at }) => at > lastOpening + 1);
}

function most(values: readonly number[]): number {
  return Math.max(0, ...values);
}

/** The mean, 0 where nothing was measured. */
function meanOrZero(values: readonly number[]): number {
  return values.length > 0 ? mean(values) : 0;
}
