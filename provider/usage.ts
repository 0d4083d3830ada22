import type { Effects } from '../shared/runtime/effects.ts';
import { ageOf, momentOf } from '../shared/store/table/commitWait.ts';
import type { ReadTable } from '../shared/store/table/tableRequests.ts';
import { Usage } from '../shared/store/usage/usage.ts';
import { createUsageCounter, type UsageCounter } from '../shared/store/usage/usageCounter.ts';
import type { Flags } from './flags.ts';

/** Minimum time between two writes of counts, in milliseconds. A process that is killed loses the counts since the last. */
const FLUSH_MS = 60_000;

/** Flags and hours in memory, and in one write. */
const LIMIT = 2_000;

/** Counts the evaluations of one environment, without timers. */
export class ProviderUsage {
  readonly #envId: string;
  readonly #counter: UsageCounter;
  readonly #effects: Effects;
  #flushedAt;
  #flushing: Promise<unknown> = Promise.resolve();

  constructor(table: ReadTable, envId: string, warn: (line: string) => void) {
    this.#envId = envId;
    this.#effects = table.effects;
    this.#flushedAt = momentOf(table.effects);
    this.#counter = createUsageCounter(new Usage(table), table.effects.now, LIMIT, (message, { reason, error }) =>
      warn(`${message}: ${reason ?? (error as Error).message}`),
    );
  }

  /** @param variationId empty if the flag served no variation */
  count(flags: Flags, flagKey: string, variationId: string): void {
    const get = (key: string) => flags.get(key)?.document;
    this.#counter.add(this.#envId, { get }, [{ flagKey, variationId }]);
  }

  /** Writes the counts if that is due. It never fails. */
  async flushIfDue(): Promise<void> {
    if (this.#counter.size > 0 && ageOf(this.#effects, this.#flushedAt) >= FLUSH_MS) await this.flush();
  }

  /** Writes the counts, after those of a flush in progress. It never fails. */
  async flush(): Promise<void> {
    this.#flushedAt = momentOf(this.#effects);
    this.#flushing = this.#flushing.then(() => this.#counter.flush());
    await this.#flushing;
  }
}
