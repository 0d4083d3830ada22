import { sumOf } from '../../shared/statistics/sumOf.ts';
import { bottlenecksOf } from '../measure/bottlenecks.ts';
import { summarise } from '../measure/summary.ts';
import type { HostTasks } from './hostTasks.ts';
import type { Measured } from './measured.ts';
import type { Parameters } from './state.ts';

/** Generators share a core with the table; no more may they be late. */
const GENERATOR_LIMITS = { cpu: 0.95, lagMs: 50 };

/**
 * StormForge's case: each client connects with its token, then sends a heartbeat about every second for some minutes.
 *
 * @param load clients over all tasks; `hold` and `ramp` in seconds
 */
export async function putLoad(
  tasks: HostTasks,
  { clients, share, every, hold, ramp }: { readonly clients: number } & Omit<Parameters, 'tasks' | 'goal'>,
): Promise<Measured> {
  const { generators } = tasks;
  const parts = generators.map((_, n) => partOf(clients, generators.length, n));
  const opened = await Promise.all(
    generators.map((each, n) => each.ask('storm', { rate: (parts[n] ?? 0) / ramp, count: parts[n] ?? 0 })),
  );
  const before = tasks.usage();
  const startedAt = performance.now();
  const ask = { everySeconds: every, forMs: hold * 1_000 };
  const beaten = await Promise.all(generators.map((each) => each.ask('heartbeats', ask)));
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = tasks.usage();
  const cpus = after.map(({ cpuSeconds }, n) => (cpuSeconds - (before[n]?.cpuSeconds ?? Number.NaN)) / seconds);
  const replies = summarise(beaten.map((each) => each.replies));
  const sent = sumOf(beaten, (each) => each.sent);
  const failed = sumOf(opened, ({ errors }) => errors) + sumOf(beaten, ({ lost }) => lost);
  const isLate = beaten.map(({ cpu, lagMs }) => ({ cpu, lagMs, intended: 0, achieved: 0 }));
  return {
    clients,
    tasks: after.length,
    openedPerSecond: sumOf(opened, ({ achieved }) => achieved),
    heartbeatsPerSecond: sent / hold,
    syncP99: Math.max(...opened.map(({ sync }) => sync.p99)),
    replyP50: replies?.p50 ?? Number.NaN,
    replyP99: replies?.p99 ?? Number.NaN,
    errorPercent: 100 * Math.max(failed / clients, sumOf(beaten, ({ unanswered }) => unanswered) / Math.max(1, sent)),
    cpu: Math.max(...cpus) / share,
    resident: Math.max(...after.map(({ resident }) => resident)),
    generatorCores: sumOf(beaten, ({ cpu }) => cpu),
    bottlenecks: [...opened, ...isLate].flatMap((health) => bottlenecksOf(health, GENERATOR_LIMITS)),
    reasons: beaten.flatMap(({ reasons }) => reasons).slice(0, 5),
  };
}

/** What one of several takes of a number, so that all take it whole. */
function partOf(whole: number, count: number, n: number): number {
  return Math.floor(whole / count) + (n < whole % count ? 1 : 0);
}
