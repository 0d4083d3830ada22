import type { Slice } from '../processor/slice.ts';
import type { RunFacts } from './runFiles.ts';

/** What the generator says of itself. */
export interface GeneratorHealth {
  /** Share that all workers used of the cores they may use, while none opened connections: artillery's timer spins then. */
  readonly cpu: number;
  /** How late event loops were, in milliseconds: the P99 of a second that was kept in nineteen of twenty, by the worst worker. */
  readonly lagMs: number;
  /** New connections a second. */
  readonly intended: number;
  readonly achieved: number;
}

/** Over these a run says more of the generator than of the server. */
const LIMITS = { cpu: 0.7, lagMs: 20, achieved: 0.98 } as const;

/** How the generator did. The last second of each worker is left out: everybody leaves in it. */
export function healthOf(workers: readonly (readonly Slice[])[], { plan, cores }: RunFacts): GeneratorHealth {
  const lastOpening = most(workers.flat().map((slice) => (beganIn(slice) > 0 ? slice.at : 0)));
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length);
  return {
    cpu: workers.reduce((sum, slices) => sum + mean(waiting(slices, lastOpening).map(({ cpu }) => cpu)), 0) / cores,
    lagMs: most(workers.map((slices) => percentile(slices.slice(0, -1).map(({ lagMs }) => lagMs)))),
    intended: intendedBy(plan),
    achieved: mean(whole(beganBySecond(workers.flat()))),
  };
}

/** Why a run is not to be used, in words; empty when it is. */
export function bottlenecksOf({ cpu, lagMs, intended, achieved }: GeneratorHealth): string[] {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return [
    ...(achieved < LIMITS.achieved * intended
      ? [`the generator opened ${Math.round(achieved)} connections a second in place of ${Math.round(intended)}`]
      : []),
    ...(cpu > LIMITS.cpu ? [`the generator used ${percent(cpu)} of its cores`] : []),
    ...(lagMs > LIMITS.lagMs ? [`a worker was ${Math.round(lagMs)} ms late`] : []),
  ];
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

/** What nineteen of twenty seconds kept. */
function percentile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * 0.95)] ?? 0;
}
