import type { Effects } from '../../shared/runtime/effects.ts';
import { onSilence } from '../../shared/runtime/silence.ts';
import { ageOf } from '../../shared/store/commitWait.ts';
import { NotFound } from '../../shared/store/errors.ts';
import type { Reading } from '../../shared/store/snapshotCache.ts';
import { SharedRead } from './sharedRead.ts';

/** How long the table may take to answer while there is an earlier reading to serve. */
const READ_TIMEOUT_MS = 1_000;

/** Time between the beginnings of two reads: each costs more than a sync does (record 12). */
const READ_SPACING_MS = 3;

/** How a read went. Without an error, all that was acknowledged before the call is in the current reading. */
export interface ReadOutcome {
  readonly error?: unknown;
}

/** How an environment is read, and the callbacks. */
export interface LatestReadingDeps {
  /** The clocks by which readings are verified. */
  readonly effects: Pick<Effects, 'now' | 'monotonic'>;
  /** For how long after its strongly consistent read was sent a reading may be used without another; 0: never. */
  readonly maxReadAgeMs: number;
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
  #isReadingAhead = false;

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

  /**
   * Sees to it that the current reading contains every write that was acknowledged before the call. Reads only if none was sent within
   * `maxReadAgeMs` (record 37), or a client has seen a newer version on another host.
   *
   * @param cursor the version that a client has
   * @throws as {@link refresh}
   */
  async catchUp(cursor: number): Promise<ReadOutcome> {
    const { effects, maxReadAgeMs } = this.#deps;
    const { version, verifiedAt } = this.#current ?? {};
    const age = verifiedAt ? ageOf(effects, verifiedAt) : Number.POSITIVE_INFINITY;
    if (age >= maxReadAgeMs || !version || cursor > version.updatedAt) return this.refresh();
    if (age >= maxReadAgeMs / 2) void this.#readAhead();
    return {};
  }

  /** Reads in the background before the reading is too old, so that data-syncs under load wait for no read. */
  async #readAhead(): Promise<void> {
    if (this.#isReadingAhead) return;
    this.#isReadingAhead = true;
    // Polls report what fails; the next data-sync that needs a read waits for its own.
    await this.refresh().catch(() => {});
    this.#isReadingAhead = false;
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
