import type { Effects } from '../shared/runtime/effects.ts';
import { ageOf, type Moment, momentOf } from '../shared/store/table/commitWait.ts';

/** Pauses after failed reads in milliseconds: the first, and the longest. Each is twice the one before. */
const PAUSE_MS = { first: 250, longest: 15_000 };

/** Reads in progress. More are needed only when an earlier one has no answer, as in a process that was frozen. */
const MOST_READS = 2;

/** Reads the flags. @returns how to put them in place of the current ones, and what ends with the read */
export type Read = () => Promise<() => Promise<void>>;

interface FreshnessDeps {
  readonly read: Read;
  readonly maxAgeMs: number;
  /** How long an evaluation waits for a read that is in progress, in milliseconds since it was sent. */
  readonly waitMs: number;
  readonly effects: Pick<Effects, 'now' | 'monotonic' | 'onSilence'>;
  /** Called after each read that fails, or whose flags are in place. */
  readonly onFailure: (error: Error) => void;
  readonly onSuccess: () => void;
}

/** A read in progress. */
interface Flight {
  /** Flights are numbered in the order in which they are sent. */
  readonly number: number;
  readonly sentAt: Moment;
  /** Whether it succeeded. It never rejects. */
  readonly done: Promise<boolean>;
}

/** The reads since the last success that failed. */
interface Failure {
  readonly error: Error;
  readonly at: Moment;
  readonly pauseMs: number;
}

/**
 * Decides when the flags are read, without timers: a frozen process has none. A read proves that the flags contain every write that
 * was acknowledged before it was sent, so ages count from then.
 */
export class Freshness {
  readonly #deps: FreshnessDeps;
  #flights: readonly Flight[] = [];
  #queued: Promise<boolean> | undefined;
  #count = 0;
  /** Of the last read that succeeded. */
  #current: Omit<Flight, 'done'> | undefined;
  #failure: Failure | undefined;
  /** Only flights with a higher number count. */
  #outdated = 0;

  constructor(deps: FreshnessDeps) {
    this.#deps = deps;
  }

  /** Makes the reads that were sent before this call count as outdated. */
  expire(): void {
    this.#outdated = this.#count;
  }

  /** Whether the flags are as new as promised. */
  get isFresh(): boolean {
    return this.#current !== undefined && this.#counts(this.#current);
  }

  /** The error of the last read, if it failed. */
  get failure(): Pick<Failure, 'error' | 'pauseMs'> | undefined {
    return this.#failure;
  }

  /**
   * Reads the flags, or waits for a read that was sent late enough. After a failure, it does nothing until the pause is over.
   *
   * @returns whether the flags are as new as promised
   */
  async refresh(waitMs = this.#deps.waitMs): Promise<boolean> {
    const { effects } = this.#deps;
    if (this.#failure && ageOf(effects, this.#failure.at) < this.#failure.pauseMs) return false;
    const { sentAt, done } = this.#flights.find((flight) => this.#counts(flight)) ?? this.#next();
    const left = waitMs - ageOf(effects, sentAt);
    return left > 0 && isDoneWithin(effects, done, left);
  }

  #counts({ number, sentAt }: Omit<Flight, 'done'>): boolean {
    return number > this.#outdated && ageOf(this.#deps.effects, sentAt) <= this.#deps.maxAgeMs;
  }

  #next(): Omit<Flight, 'number'> {
    if (this.#flights.length < MOST_READS) return this.#send();
    this.#queued ??= Promise.race(this.#flights.map(({ done }) => done)).then(() => {
      this.#queued = undefined;
      return this.#send().done;
    });
    return { sentAt: momentOf(this.#deps.effects), done: this.#queued };
  }

  #send(): Flight {
    this.#count += 1;
    const sent = { number: this.#count, sentAt: momentOf(this.#deps.effects) };
    const flight = { ...sent, done: this.#fly(sent).finally(() => this.#land(sent.number)) };
    this.#flights = [...this.#flights, flight];
    return flight;
  }

  #land(landed: number): void {
    this.#flights = this.#flights.filter(({ number }) => number !== landed);
  }

  async #fly(sent: Omit<Flight, 'done'>): Promise<boolean> {
    try {
      const replace = await this.#deps.read();
      // A read that was sent earlier and ends later may have older flags.
      if (sent.number < (this.#current?.number ?? 0)) return true;
      const others = replace();
      this.#current = sent;
      this.#failure = undefined;
      this.#deps.onSuccess();
      await others;
      return true;
    } catch (error) {
      if (sent.number > (this.#current?.number ?? 0)) this.#fail(error as Error);
      return false;
    }
  }

  #fail(error: Error): void {
    const before = this.#failure;
    const pauseMs = before ? Math.min(2 * before.pauseMs, PAUSE_MS.longest) : PAUSE_MS.first;
    this.#failure = { error, at: momentOf(this.#deps.effects), pauseMs };
    this.#deps.onFailure(error);
  }
}

function isDoneWithin({ onSilence }: Pick<Effects, 'onSilence'>, done: Promise<boolean>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = onSilence(ms, () => resolve(false));
    void done.then((isDone) => {
      cancel();
      resolve(isDone);
    });
  });
}
