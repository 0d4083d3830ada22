import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import { openUsage, readFlagUsage, startOfPeriod, sumOf } from '../../shared/store/usage/flagUsage.ts';
import { hourOf } from '../../shared/store/usage/usage.ts';
import type { UsagePeriod } from '../usage.ts';
import type { ConsoleContext, Handlers } from './consoleContext.ts';

const HOUR_MS = 3_600_000;

/** Number and duration of a graph's bars, and the length of their names. */
const BARS: Readonly<Record<UsagePeriod, { readonly count: number; readonly ms: number; readonly length: number }>> = {
  day: { count: 24, ms: HOUR_MS, length: 13 },
  month: { count: 30, ms: 24 * HOUR_MS, length: 10 },
};

/** Answers with the evaluations of a flag. */
export function usageHandler(
  { environments, effects }: Pick<FlagStore, 'environments' | 'effects'>,
  { tables: { client, flags: name } }: Pick<ConsoleContext, 'tables'>,
): Handlers['GET environments/:env/usage'] {
  return async ({ env, query: { flag, period } }) => {
    await environments.find(env);
    const usage = await openUsage({ client, name, effects });
    if (!usage) return { kind: 'off' };
    const now = effects.now();
    const { count, ms, length } = BARS[period];
    const from = period === 'month' ? startOfPeriod(now, count) : now - (count - 1) * ms;
    const { hours, counts, total, lastSeen, startedAt, dropped } = await readFlagUsage(usage, env, flag, from);
    const byBar = Map.groupBy(hours, ({ hour }) => hour.slice(0, length));
    const bars = Array.from({ length: count }, (_, n) => {
      const at = hourOf(from + n * ms).slice(0, length);
      return { at, counts: Object.fromEntries(sumOf(byBar.get(at) ?? [])) };
    });
    return {
      kind: 'counted',
      bars,
      counts: Object.fromEntries(counts),
      total,
      dropped,
      ...omitUndefined({ lastSeen, startedAt }),
    };
  };
}
