import { onSilence } from '../../shared/runtime/silence.ts';
import { NotFound } from '../../shared/store/errors.ts';
import type { Reading } from '../../shared/store/snapshotCache.ts';
import { SharedRead } from './sharedRead.ts';

/** How long the table may take to answer while there is an earlier reading to serve. */
const READ_TIMEOUT_MS = 1_000;

/** Time between the beginnings of two reads: each costs more than a sync does (record 12). */
const READ_SPACING_MS = 3;

/** How a read went. Without an error, all that was acknowledged before it is in the current reading. */
export interface ReadOutcome {
  readonly error?: unknown;
}

/** How an environment is read, and the callbacks. */
interface LatestReadingDeps {
  readonly read: () => Promise<Reading>;
  /** Called with each reading before it becomes the current one. */
  readonly onRead: (reading: Reading, before: Reading | undefined) => void;
  /** There is no such environment any more. */
  readonly onDeleted: () => Promise<void>;
}

/** An environment as it was read last: read again on request, and served as it is while the table is away. */
export class LatestReading {
  readonly #deps: LatestReadingDeps;
  readonly #shared: SharedRead<ReadOutcome>;
  #current: Reading | undefined;
  #changedAt = Number.NEGATIVE_INFINITY;

  /** @param lastKnown a reading of an earlier process */
  constructor(deps: LatestReadingDeps, lastKnown: Reading | undefined) {
    this.#deps = deps;
    this.#shared = new SharedRead(() => this.#readOrStale(), READ_SPACING_MS);
    this.#current = lastKnown;
  }

  /** The newest reading, once there is one; it is never replaced by an older one. */
  get current(): Reading {
    return this.#current as Reading;
  }

  /** When a change was met last, on the monotonic clock. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /**
   * Reads the environment, together with all who ask at the same time.
   *
   * @throws {NotFound} when there is no such environment any more
   * @throws when it could not be read, now or ever before
   */
  refresh(): Promise<ReadOutcome> {
    return this.#shared.read();
  }

  async #readOrStale(): Promise<ReadOutcome> {
    try {
      await (this.#current ? within(READ_TIMEOUT_MS, this.#read()) : this.#read());
      return {};
    } catch (error) {
      if (error instanceof NotFound) await this.#deps.onDeleted();
      if (error instanceof NotFound || !this.#current) throw error;
      return { error };
    }
  }

  async #read(): Promise<void> {
    const reading = await this.#deps.read();
    // A read that took too long may still end, after newer ones.
    if (this.#current && reading.version.updatedAt < this.#current.version.updatedAt) return;
    this.#deps.onRead(reading, this.#current);
    const isChanged = this.#current && reading.version.updatedAt > this.#current.version.updatedAt;
    if (isChanged) this.#changedAt = performance.now();
    this.#current = reading;
  }
}

/** @throws when it takes longer; it goes on all the same */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let stop = () => {};
  const tooLate = new Promise<never>((_, reject) => {
    stop = onSilence(ms, () => reject(new Error(`the table did not answer within ${ms} ms`)));
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    stop();
  }
}
