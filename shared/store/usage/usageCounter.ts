import type { Flag } from '../../flags/flag.ts';
import { mapConcurrently } from '../../runtime/mapConcurrently.ts';
import { Shares } from '../../runtime/shares.ts';
import { isThrottled } from '../table/directTable.ts';
import { type Key, usageKeys } from '../table/keys.ts';
import { DROPPED, hourOf, NO_VARIATION, UNKNOWN, type Usage } from './usage.ts';

/** An evaluation of a flag, as an SDK or an endpoint reports it. */
export interface Evaluation {
  readonly flagKey: string;
  /** {@link NO_VARIATION} if there was none. */
  readonly variationId: string;
}

type FlagsByKey = Pick<ReadonlyMap<string, Pick<Flag, 'variations'>>, 'get'>;
type Warn = (message: string, details: Readonly<Record<string, unknown>>) => void;

/** Maximum number of variations of one flag in a write. DynamoDB limits the length of an expression. */
const VARIATIONS = 100;

/** How long writes of one flush start, in milliseconds. A slow table must not delay requests for longer. */
const FLUSH_MS = 1_000;

/** Maximum number of environments whose lost counts are kept until they are written. */
const ENVIRONMENTS = 1_000;

/** Counts of a flag in an hour, by variation. */
interface Counted {
  readonly envId: string;
  readonly key: Key;
  readonly counts: Iterable<readonly [variation: string, count: number]>;
}

interface Entry extends Counted {
  readonly counts: Map<string, number>;
}

/** See {@link createUsageCounter}. */
export type UsageCounter = ReturnType<typeof createUsageCounter>;

/**
 * Combines evaluations in memory, and writes one item per flag and hour. Counts that the table throttled stay in
 * memory for the next write. Dropped counts are counted too, and written with the next flush that succeeds.
 *
 * @param limit maximum number of flags and hours in memory, shared between environments. Evaluations of further flags are dropped
 * @param warn logs a line that may come often
 */
export function createUsageCounter(usage: Pick<Usage, 'add' | 'start'>, now: () => number, limit: number, warn: Warn) {
  let entries = new Map<string, Entry>();
  let shares = new Shares(limit);
  const dropped = new Map<string, number>();
  const started = new Set<string>();
  let droppedTotal = 0;

  async function start(envId: string): Promise<void> {
    if (started.has(envId)) return;
    try {
      await usage.start(envId);
      if (started.size >= ENVIRONMENTS) started.clear();
      started.add(envId);
    } catch (error) {
      warn('start of usage counts not recorded, will be retried', { envId, error: error as Error });
    }
  }

  async function write(entry: Entry, end: number): Promise<'written' | 'kept' | 'dropped'> {
    if (now() >= end && put(entry)) return 'kept';
    try {
      await usage.add(entry.key, entry.counts);
      return 'written';
    } catch (error) {
      if (isThrottled(error) && put(entry)) return 'kept';
      const total = [...entry.counts.values()].reduce((sum, count) => sum + count, 0);
      drop(entry.envId, total, `${(error as Error).name}: ${(error as Error).message}`);
      return 'dropped';
    }
  }

  async function writeDropped(envId: string, count: number): Promise<void> {
    // Taken before the write, which may succeed without an answer: rather too few are shown than too many.
    dropped.delete(envId);
    try {
      await usage.add(usageKeys.ofUnknown(envId, hourOf(now())), new Map([[DROPPED, count]]));
    } catch (error) {
      if (isThrottled(error)) remember(envId, count);
    }
  }

  /** @returns false if there is no room */
  function put({ envId, key, counts }: Counted): boolean {
    const id = `${key.pk.S} ${key.sk.S}`;
    const known = entries.get(id);
    if (!known && !shares.take(envId)) return false;
    const entry = known ?? { envId, key, counts: new Map<string, number>() };
    for (const [variation] of counts) {
      if (!entry.counts.has(variation) && entry.counts.size >= VARIATIONS) return false;
    }
    if (!known) entries.set(id, entry);
    for (const [variation, count] of counts) entry.counts.set(variation, (entry.counts.get(variation) ?? 0) + count);
    return true;
  }

  function drop(envId: string, count: number, reason: string): void {
    if (count === 0) return;
    droppedTotal += count;
    remember(envId, count);
    warn('usage counts dropped', { envId, count, reason });
  }

  function remember(envId: string, count: number): void {
    if (!dropped.has(envId) && dropped.size >= ENVIRONMENTS) return;
    dropped.set(envId, (dropped.get(envId) ?? 0) + count);
  }

  return {
    /** Number of flags and hours in memory. */
    get size() {
      return entries.size;
    },
    /** Number of evaluations that were dropped since the start. */
    get dropped() {
      return droppedTotal;
    },
    /**
     * Adds evaluations. Those of unknown flags and variations have one count for each environment.
     *
     * @param flags the environment's flags by key; undefined if they could not be read, and then nothing is counted
     */
    add(envId: string, flags: FlagsByKey | undefined, evaluations: readonly Evaluation[]): void {
      if (!flags) {
        drop(envId, evaluations.length, 'the flags of the environment could not be read');
        return;
      }
      const hour = hourOf(now());
      let beyondLimit = 0;
      for (const { flagKey, variationId } of evaluations) {
        const flag = flags.get(flagKey);
        const isKnown = flag && (variationId === NO_VARIATION || flag.variations.some(({ id }) => id === variationId));
        const key = isKnown ? usageKeys.ofFlag(envId, flagKey, hour) : usageKeys.ofUnknown(envId, hour);
        if (!put({ envId, key, counts: [[isKnown ? variationId : UNKNOWN, 1]] })) beyondLimit += 1;
      }
      if (beyondLimit > 0) drop(envId, beyondLimit, `all environments share ${limit} flags in one write`);
    },
    /**
     * Writes what is in memory. Never fails: what is not written is dropped, or kept if it was throttled or the table is slow.
     *
     * @returns whether something was kept
     */
    async flush(): Promise<boolean> {
      const written = [...entries.values()];
      entries = new Map();
      shares = new Shares(limit);
      const environments = new Set(written.map(({ envId }) => envId));
      const end = now() + FLUSH_MS;
      const [outcomes] = await Promise.all([
        mapConcurrently(written, (entry) => write(entry, end)),
        ...[...environments].map((envId) => start(envId)),
      ]);
      await Promise.all([...dropped].map(([envId, count]) => writeDropped(envId, count)));
      return outcomes.includes('kept');
    },
  };
}
