import type { Effects } from '../../../shared/runtime/effects.ts';
import { SETTLE_MS } from '../../../shared/store/snapshots/consistentRead.ts';
import type { Reading } from '../../../shared/store/snapshots/snapshotCache.ts';
import { ageOf } from '../../../shared/store/table/commitWait.ts';
import { NotFound } from '../../../shared/store/table/errors.ts';
import { FIRST_READ_TIMEOUT_MS, inTime, READ_TIMEOUT_MS, TRIAL_TIMEOUT_MS } from '../offline/tableWait.ts';
import { shareRuns } from './sharedRun.ts';

/** Minimum time between the starts of two reads. A read costs more than a data-sync. */
const READ_SPACING_MS = 3;

/**
 * The share of its time after which a data-sync has the reading read again. By default polls are more frequent, so that
 * data-syncs cause no reads.
 */
const READ_AHEAD_SHARE = 2 / 3;

/** The current reading after a read. Without an error, it contains all writes that were acknowledged before the call. */
export interface ReadOutcome {
  readonly reading: Reading;
  readonly error?: unknown;
}

/** How an environment is read, and the callbacks. */
export interface LatestReadingDeps {
  /** The clocks that measure the age of a reading and the time between reads, and the time of a read. */
  readonly effects: Pick<Effects, 'now' | 'monotonic' | 'pause' | 'onSilence'>;
  /** How long a reading may be used without another read, from when its read was sent. With 0, never. */
  readonly maxReadAgeMs: number;
  readonly read: () => Promise<Reading>;
  /** The last reading of an earlier process. Asked for only if the table fails and there is no reading yet: reading a file takes long. */
  readonly lastKnown: () => Reading | undefined;
  /** Whether the table is known not to answer in time. Then even a first read gets no more time than others. */
  readonly isTableLate: () => boolean;
  /**
   * Called with each reading before it becomes the current one.
   *
   * @param before the reading that it continues: none for the first one
   * @param isOther whether it continues none, because the environment was made again, or the table was restored
   */
  readonly onRead: (reading: Reading, before: Reading | undefined, isOther: boolean) => void;
  /** Called if the environment was deleted. */
  readonly onDeleted: () => Promise<void>;
}

/** A read, and when it started on the monotonic clock. */
interface Trial {
  readonly startedAt: number;
  readonly read: Promise<Reading>;
}

/** The last reading of an environment. It is read again on request, and still served while the table is unavailable. */
export class LatestReading {
  readonly #deps: LatestReadingDeps;
  readonly #run: () => Promise<ReadOutcome>;
  #current: Reading | undefined;
  /** When this process first read the version of the current reading, on the monotonic clock. */
  #metAt = Number.NEGATIVE_INFINITY;
  #changedAt = Number.NEGATIVE_INFINITY;
  #isReadingAhead = false;
  /** The last read, if it timed out and none has succeeded since. */
  #trial: Trial | undefined;

  constructor(deps: LatestReadingDeps) {
    this.#deps = deps;
    this.#run = shareRuns(() => this.#readOrStale(), { ms: READ_SPACING_MS, effects: deps.effects });
  }

  /** The newest reading. An older one replaces it only if the table was restored. Undefined before the first read. */
  get current(): Reading | undefined {
    return this.#current;
  }

  /** When a read last found a change, on the monotonic clock. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /**
   * Reads the environment. Concurrent callers share a read.
   *
   * @throws {NotFound} if the environment was deleted
   * @throws if it could not be read, and there is no earlier reading
   */
  refresh(): Promise<ReadOutcome> {
    return this.#run();
  }

  /**
   * Ensures that the current reading contains every write that was acknowledged before the call. It reads if no read was sent
   * within `maxReadAgeMs` (record 37), or if the client has a newer version from another host.
   *
   * @param cursor the version that a client has
   * @throws as {@link refresh}
   */
  async catchUp(cursor: number): Promise<ReadOutcome> {
    const { effects, maxReadAgeMs } = this.#deps;
    const reading = this.#current;
    const age = reading?.verifiedAt ? ageOf(effects, reading.verifiedAt) : Number.POSITIVE_INFINITY;
    if (age >= maxReadAgeMs || !reading || cursor > reading.version.updatedAt) return this.refresh();
    if (age >= maxReadAgeMs * READ_AHEAD_SHARE) void this.#readAhead();
    return { reading };
  }

  /** Reads in the background before the reading is too old, so that data-syncs do not wait for a read under load. */
  async #readAhead(): Promise<void> {
    if (this.#isReadingAhead) return;
    this.#isReadingAhead = true;
    // Polls report errors. The next data-sync that needs a read waits for its own.
    await this.refresh().catch(() => {});
    this.#isReadingAhead = false;
  }

  async #readOrStale(): Promise<ReadOutcome> {
    try {
      await this.#waitForTrial();
      const trial = this.#begin();
      const isFirst = !this.#current && !this.#deps.isTableLate();
      const timeoutMs = isFirst ? FIRST_READ_TIMEOUT_MS : READ_TIMEOUT_MS;
      const reading = await inTime(this.#deps.effects, trial.read, timeoutMs, () => {
        const isServed = this.#useLastKnown() !== undefined;
        if (isServed) this.#trial = trial;
        return isServed;
      });
      return { reading };
    } catch (error) {
      if (error instanceof NotFound) await this.#deps.onDeleted();
      const reading = error instanceof NotFound ? undefined : this.#useLastKnown();
      if (!reading) throw error;
      return { reading, error };
    }
  }

  /** The current reading. If there is none yet, the last one of an earlier process becomes it. */
  #useLastKnown(): Reading | undefined {
    if (this.#current) return this.#current;
    this.#current = this.#deps.lastKnown();
    // A read that is still running may have an older version. One that is sent now may have the version of a restored table.
    if (this.#current) this.#metAt = this.#deps.effects.monotonic() - SETTLE_MS - 1;
    return this.#current;
  }

  /**
   * After a timeout, waits shortly for that read, or once a second for a new one. A data-sync waits for two reads at most, the first of which
   * is in progress.
   *
   * @throws unless one has succeeded
   */
  async #waitForTrial(): Promise<void> {
    if (!this.#trial) return;
    const isOld = this.#deps.effects.monotonic() - this.#trial.startedAt >= READ_TIMEOUT_MS;
    if (isOld) this.#trial = this.#begin();
    await inTime(this.#deps.effects, this.#trial.read, TRIAL_TIMEOUT_MS);
  }

  #begin(): Trial {
    return { startedAt: this.#deps.effects.monotonic(), read: this.#read() };
  }

  /** @returns the current reading after it */
  async #read(): Promise<Reading> {
    const { read, onRead, effects } = this.#deps;
    const sentAt = effects.monotonic();
    const reading = await read();
    this.#trial = undefined;
    const before = this.#current;
    const isOlder = before !== undefined && reading.version.updatedAt < before.version.updatedAt;
    // A read that timed out may still complete, after newer ones. The copies of a version may differ shortly.
    if (isOlder && (reading.isPartial || sentAt - this.#metAt <= SETTLE_MS)) return before;
    const isOther = isOlder || (before !== undefined && reading.version.initial > before.version.updatedAt);
    onRead(reading, before, isOther);
    const isChanged = before && reading.version.updatedAt !== before.version.updatedAt;
    if (isChanged) this.#changedAt = effects.monotonic();
    if (isChanged || this.#metAt === Number.NEGATIVE_INFINITY) this.#metAt = effects.monotonic();
    this.#current = reading;
    return reading;
  }
}
