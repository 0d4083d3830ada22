import type { Effects } from '../../../shared/runtime/effects.ts';
import type { Usage } from '../../../shared/store/usage/usage.ts';
import { createUsageCounter } from '../../../shared/store/usage/usageCounter.ts';
import { flagsByKey, type UsageSink } from '../../http/usageSink.ts';
import { LimitedLog } from '../../telemetry/limitedLog.ts';

/** How often counts are written, in milliseconds. */
const FLUSH_INTERVAL_MS = 10_000;

/** How soon counts that the table throttled are written again, in milliseconds. */
const RETRY_MS = 1_000;

/** How often a host looks for a usage table that it does not know, in milliseconds. */
const OPEN_INTERVAL_MS = 60_000;

/** Number of flags and hours in memory at which counts are written at once, and their maximum, of which one environment can have half. */
const LIMITS = { flush: 500, entries: 2_000 };

/** Counts evaluations of a host. */
export interface HostUsage extends UsageSink {
  /** Number of evaluations that were dropped since the start. */
  readonly dropped: number;
  /** Writes what is in memory, and stops. */
  close(): Promise<void>;
}

/**
 * Counts evaluations in memory, and writes them every 10 seconds.
 *
 * @param open finds the usage table; undefined if the service does not count evaluations
 * @param intervalMs how often counts are written
 */
export function startHostUsage(
  open: () => Promise<Usage | undefined>,
  effects: Effects,
  intervalMs = FLUSH_INTERVAL_MS,
): HostUsage {
  const limited = new LimitedLog(effects.now);
  let usage: Usage | undefined;
  let askedAt: number;
  let isOff = false;
  const opened = () => {
    if (usage) return usage;
    throw new Error('the usage table is not known');
  };
  const counter = createUsageCounter(
    { add: (key, counts) => opened().add(key, counts), start: (envId) => opened().start(envId) },
    effects.now,
    LIMITS.entries,
    (...line) => limited.warn(...line),
  );

  const find = async () => {
    askedAt = effects.monotonic();
    try {
      usage = await open();
      isOff = usage === undefined;
    } catch (error) {
      limited.warn('usage table not found, will be retried', { error: error as Error });
    }
  };
  const write = async () => {
    isQueued = false;
    if (!usage && effects.monotonic() - askedAt >= OPEN_INTERVAL_MS) await find();
    if (usage && (await counter.flush())) retry ??= setTimeout(flushAgain, RETRY_MS);
  };
  // One after the other, so that the last one ends after all writes.
  let isQueued = false;
  let last = find();
  const flush = () => {
    if (!isQueued) last = last.then(write);
    isQueued = true;
    return last;
  };
  let retry: NodeJS.Timeout | undefined;
  const flushAgain = () => {
    retry = undefined;
    void flush();
  };
  const timer = setInterval(flush, intervalMs);

  return {
    get dropped() {
      return counter.dropped;
    },
    count: async (envId, snapshot, evaluations) => {
      if (isOff) return;
      counter.add(envId, flagsByKey(snapshot), evaluations);
      if (counter.size >= LIMITS.flush && !retry) void flush();
    },
    close: async () => {
      clearInterval(timer);
      await flush();
      clearTimeout(retry);
      if (!isOff && counter.size > 0) {
        limited.warn('usage counts dropped', { flags: counter.size, reason: 'the host stopped' });
      }
    },
  };
}
