import { mean, quantile } from '../../shared/statistics/quantile.ts';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import type { GeneratorHealth } from '../measure/bottlenecks.ts';
import type { Slice } from '../measure/slice.ts';
import type { RunFacts } from './schema.ts';

/**
 * The state of the load generator, without the last second of each worker, in which all connections close:
 *
 * - `cpu`: the share of its cores after all connections are open. Artillery's timer uses the whole CPU before that.
 * - `lagMs`: the event loop delay (P99 of a second) in 19 of 20 seconds, of the worst worker
 */
export function measureHealth(workers: readonly (readonly Slice[])[], facts: RunFacts): GeneratorHealth {
  const { plan, cores, others } = facts;
  const lastOpening = Math.max(0, ...workers.flat().map((slice) => (beganIn(slice) > 0 ? slice.at : 0)));
  const held = workers.map((slices) => slices.slice(0, -1).filter(({ at }) => at > lastOpening + 1));
  const lags = workers.map((slices) => slices.slice(0, -1).map(({ lagMs }) => lagMs));
  return {
    cpu: sumOf(held, (slices) => meanOrZero(slices.map(({ cpu }) => cpu))) / cores,
    lagMs: Math.max(0, ...lags.map((each) => quantile(each, 0.95) || 0)),
    intended: sumOf(plan.phases, (phase) => ('arrivalRate' in phase ? phase.arrivalRate : 0)),
    achieved: meanOrZero(whole(beganBySecond(workers.flat()))),
    ...(others !== undefined && { others }),
  };
}

/** New connections in each second, over all workers. */
function beganBySecond(slices: readonly Slice[]): number[] {
  const first = Math.min(...slices.map(({ at }) => at));
  const counts: number[] = [];
  for (const slice of slices) counts[slice.at - first] = (counts[slice.at - first] ?? 0) + beganIn(slice);
  return Array.from(counts, (count) => count ?? 0);
}

/** The seconds without the first and the last one, which are incomplete. */
function whole(counts: readonly number[]): number[] {
  const inner = counts.filter((count, n) => (counts[n - 1] ?? 0) > 0 && count > 0 && (counts[n + 1] ?? 0) > 0);
  return inner.length > 0 ? inner : counts.filter((count) => count > 0);
}

function beganIn({ counters }: Slice): number {
  return counters['began'] ?? 0;
}

/** The mean, or 0 without values. */
function meanOrZero(values: readonly number[]): number {
  return values.length > 0 ? mean(values) : 0;
}
