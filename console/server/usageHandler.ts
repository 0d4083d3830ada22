import { withoutDeleted } from '../../shared/flags/deletion.ts';
import { STALE_DAYS } from '../../shared/flags/stale.ts';
import { keepAnswers } from '../../shared/runtime/keepAnswers.ts';
import { mapConcurrently } from '../../shared/runtime/mapConcurrently.ts';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import { findStale, openUsage, readFlagUsage, startOfPeriod, sumOf } from '../../shared/store/usage/flagUsage.ts';
import { readUncounted } from '../../shared/store/usage/uncounted.ts';
import { hourOf, type UsageHour } from '../../shared/store/usage/usage.ts';
import { ACTIVITY_CHANGES, ACTIVITY_FLAGS, type Activity, STALE_NEEDS_DAYS, type UsagePeriod } from '../usage.ts';
import type { ConsoleContext, Handlers } from './consoleContext.ts';
import { versioned } from './environmentHandlers.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Cache durations in milliseconds. Evaluations cost about a read unit for each flag, stale flags up to ten. */
const KEPT_MS = 20_000;
const STALE_KEPT_MS = 600_000;
/** Maximum number of cached environments. */
const KEPT_ENVIRONMENTS = 20;

/** Number and duration of a graph's bars, and the length of their names. */
const BARS: Readonly<Record<UsagePeriod, { readonly count: number; readonly ms: number; readonly length: number }>> = {
  day: { count: 24, ms: HOUR_MS, length: 13 },
  month: { count: 30, ms: DAY_MS, length: 10 },
};

/** Handlers of requests about evaluations: those of a flag, and the activity of an environment. */
export function usageHandlers(
  { environments, documents, history, effects }: FlagStore,
  { tables: { client, flags: name } }: Pick<ConsoleContext, 'tables'>,
) {
  const keptUsage = keepAnswers<Activity['usage']>(KEPT_MS, KEPT_ENVIRONMENTS);
  const keptStale = keepAnswers<Awaited<ReturnType<typeof findStale>>>(STALE_KEPT_MS, KEPT_ENVIRONMENTS);
  const readUsage = async (env: string, now: number): Promise<Activity['usage']> => {
    const usage = await openUsage({ client, name, effects });
    if (!usage) return { kind: 'off' };
    const stored = (await documents.load(env)).flatMap((each) => versioned(each) ?? []);
    const all = withoutDeleted(stored).flatMap((each) => (each.kind === 'flag' ? each.document : []));
    const flags = all.slice(0, ACTIVITY_FLAGS);
    const from = firstBar('day', now);
    const hours = await mapConcurrently(flags, ({ key }) => Array.fromAsync(usage.hours(env, key, from)));
    const startedAt = await usage.startedAt(env);
    const isKnown = startedAt !== undefined && now - startedAt >= STALE_NEEDS_DAYS * DAY_MS;
    const unchangedSince = Math.max(startedAt ?? 0, now - STALE_DAYS * DAY_MS);
    const uncounted = await readUncounted({ client, name, effects }, env);
    const read = () => findStale(usage, env, flags, unchangedSince, uncounted.length > 0);
    const stale = isKnown ? await keptStale(env, now, read) : undefined;
    return {
      kind: 'counted',
      bars: barsOf('day', from, hours.flat()),
      isAtLeast: all.length > flags.length,
      uncounted,
      ...omitUndefined({ startedAt, stale }),
    };
  };
  return {
    'GET environments/:env/usage': async ({ env, query: { flag, period } }) => {
      await environments.find(env);
      const usage = await openUsage({ client, name, effects });
      if (!usage) return { kind: 'off' };
      const from = firstBar(period, effects.now());
      const { hours, counts, total, lastSeen, startedAt, dropped } = await readFlagUsage(usage, env, flag, from);
      return {
        kind: 'counted',
        bars: barsOf(period, from, hours),
        counts: Object.fromEntries(counts),
        total,
        dropped,
        ...omitUndefined({ lastSeen, startedAt }),
      };
    },
    'GET environments/:env/activity': async ({ env }) => {
      await environments.find(env);
      const now = effects.now();
      const usage = await keptUsage(env, now, () => readUsage(env, now));
      return { changes: await countChanges(history, env, now - 7 * DAY_MS), usage };
    },
  } satisfies Partial<Handlers>;
}

function firstBar(period: UsagePeriod, now: number): number {
  const { count, ms } = BARS[period];
  return period === 'month' ? startOfPeriod(now, count) : now - (count - 1) * ms;
}

function barsOf(period: UsagePeriod, from: number, hours: readonly UsageHour[]) {
  const { count, ms, length } = BARS[period];
  const byBar = Map.groupBy(hours, ({ hour }) => hour.slice(0, length));
  return Array.from({ length: count }, (_, n) => {
    const at = hourOf(from + n * ms).slice(0, length);
    return { at, counts: Object.fromEntries(sumOf(byBar.get(at) ?? [])) };
  });
}

async function countChanges(history: FlagStore['history'], envId: string, since: number): Promise<number> {
  const changes = new Set<number>();
  for await (const { change, at } of history.entries(envId)) {
    if (at < since || changes.size === ACTIVITY_CHANGES) break;
    changes.add(change);
  }
  return changes.size;
}
