import { median } from '../../shared/statistics/quantile.ts';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import { findBottlenecks } from '../measure/bottlenecks.ts';
import type { Slice, Times } from '../measure/slice.ts';
import { p99Of, type Summary, summarise } from '../measure/summary.ts';
import { CHANGE, countChanges, measureChanges } from './changes.ts';
import { measureHealth } from './generatorHealth.ts';
import type { RunFiles, Usage } from './runFiles.ts';
import type { RunFacts, RunFigures } from './schema.ts';

/** One second of a run, over all workers. */
export interface Second {
  /** Unix seconds. */
  readonly at: number;
  readonly open: number;
  /** New connections. */
  readonly began: number;
  readonly errors: number;
  /** Times of data-syncs and of replies to messages in milliseconds. Missing without any. */
  readonly syncP99?: number;
  readonly replyP99?: number;
  readonly serverCpu?: number;
  /** Bytes. */
  readonly serverMemory?: number;
}

/** The result of a run. The schema describes its figures. */
export interface RunResult extends Omit<RunFigures, 'facts' | 'times'> {
  readonly facts: RunFacts;
  readonly times: Readonly<Record<string, Summary>>;
  /** The times of all data-syncs, for percentiles over several runs. */
  readonly syncs: Times;
  readonly seconds: readonly Second[];
}

/** Reads the result of a finished or killed run. */
export function readRun(files: RunFiles): RunResult {
  const { facts } = files;
  const [usage, flips] = [files.readUsage(), files.readFlips()];
  const workers = files.readSlices().filter((slices) => slices.length > 0);
  const slices = workers.flat();
  const counts = addCounters(slices.map(({ counters }) => counters));
  const names = new Set(slices.flatMap(({ times }) => Object.keys(times).filter((name) => !CHANGE.test(name))));
  const times = [...names].flatMap((name) => {
    const summary = summarise(slices.map((slice) => slice.times[name] ?? []));
    return summary ? [[name, summary]] : [];
  });
  const seconds = mergeSeconds(workers, usage);
  const generator = measureHealth(workers, facts);
  const partial = facts.stopped ?? (facts.endedAt === undefined ? 'it was killed' : undefined);
  const beganAt = seconds[0]?.at ?? 0;
  const server = findPeaks(usage, beganAt, facts);
  const changes = countChanges(flips, slices);
  return {
    facts,
    ...(partial !== undefined && { partial }),
    invalid: findBottlenecks(generator),
    counts,
    errorPercent: (100 * (counts['errors'] ?? 0)) / Math.max(1, counts['began'] ?? 0),
    reasons: listReasons(counts),
    times: { ...Object.fromEntries(times), ...measureChanges(flips, slices) },
    syncs: slices.flatMap((slice) => slice.times['sync'] ?? []),
    seconds,
    ...(server && { server }),
    generator,
    ...(changes && { changes }),
    sixths: splitInSixths(slices, usage, beganAt, facts),
  };
}

function addCounters(all: readonly Slice['counters'][]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counters of all) {
    for (const [name, count] of Object.entries(counters)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

function listReasons(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts)
    .flatMap(([name, count]): [string, number][] => {
      const [, why] = /^(?:error|reason): (.*)$/s.exec(name) ?? [];
      return why === undefined ? [] : [[why, count]];
    })
    .sort(([, a], [, b]) => b - a);
}

function findPeaks(usage: readonly Usage[], beganAt: number, { plan }: RunFacts): RunFigures['server'] {
  const rampEnd = beganAt + plan.rampS;
  const holdEnd = beganAt + plan.durationS;
  const most = (values: readonly number[]) => (values.length > 0 ? Math.max(...values) : Number.NaN);
  const during = (from: number, to: number) => usage.filter(({ at }) => at >= from && at <= to);
  const ramp = during(beganAt, rampEnd);
  const hold = during(rampEnd + 1, holdEnd);
  if (ramp.length + hold.length === 0) return undefined;
  return {
    cpuRamp: most(ramp.map(({ cpu }) => cpu)),
    cpuHold: most(hold.map(({ cpu }) => cpu)),
    memoryRamp: most(ramp.map(({ memory }) => memory)),
    memoryHold: most(hold.map(({ memory }) => memory)),
  };
}

function splitInSixths(slices: readonly Slice[], usage: readonly Usage[], beganAt: number, { plan }: RunFacts) {
  return Array.from({ length: 6 }, (_, n) => {
    const isIn = ({ at }: { readonly at: number }) => Math.floor((6 * (at - beganAt)) / plan.durationS) === n;
    return {
      syncP99: summarise(slices.filter(isIn).map(({ times }) => times['sync'] ?? []))?.p99 ?? Number.NaN,
      memory: median(usage.filter(isIn).map(({ memory }) => memory)),
    };
  });
}

/** The seconds of a run. A second of a worker counts where it ends. */
export function mergeSeconds(workers: readonly (readonly Slice[])[], usage: readonly Usage[]): Second[] {
  const all = workers.flat();
  if (all.length === 0) return [];
  const first = Math.min(...all.map(({ at }) => at));
  const last = Math.max(...all.map(({ at }) => at));
  const bySecond = Map.groupBy(all, ({ at }) => at);
  const used = new Map(usage.map((each) => [Math.floor(each.at), each]));
  return Array.from({ length: last - first + 1 }, (_, n) => {
    const at = first + n;
    const slices = bySecond.get(at) ?? [];
    const count = (name: string) => sumOf(slices, ({ counters }) => counters[name] ?? 0);
    // A histogram would take a millisecond of CPU time for each second.
    const p99 = (name: string) => p99Of(slices.map((slice) => slice.times[name] ?? []));
    const [syncP99, replyP99] = [p99('sync'), p99('send to reply')];
    const { cpu, memory } = used.get(at) ?? {};
    return {
      at,
      open: sumOf(workers, (worker) => worker.findLast((slice) => slice.at <= at)?.open ?? 0),
      began: count('began'),
      errors: count('errors'),
      ...(syncP99 !== undefined && { syncP99 }),
      ...(replyP99 !== undefined && { replyP99 }),
      ...(cpu !== undefined && { serverCpu: cpu }),
      ...(memory !== undefined && { serverMemory: memory }),
    };
  });
}
