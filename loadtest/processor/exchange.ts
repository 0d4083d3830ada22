import type { Recorder } from './recorder.ts';

/** When messages are sent, and until when; times on the clock of `performance.now`. */
export interface Schedule {
  readonly kind: 'ping' | 'echo';
  readonly firstAt: number;
  readonly everyMs: number;
  /** How many, or as many as fit. */
  readonly count: number;
  /** None is sent from then on. */
  readonly until: number;
  /** How long the last replies are waited for. */
  readonly timeoutMs: number;
}

/**
 * Messages of one connection and their replies. Each is sent at its time whatever has become of those before: a server
 * that stands still is not asked less often, and what it owes shows from when it should have been asked.
 */
export class Exchange {
  readonly #schedule: Schedule;
  readonly #recorder: Recorder;
  readonly #send: (text: string) => void;
  readonly #onDone: () => void;
  readonly #waiting = new Map<number, { readonly intendedAt: number; readonly sentAt: number }>();
  #timer: NodeJS.Timeout | undefined;
  #sent = 0;
  #replied = 0;
  #isComplete = false;

  /** @param onDone called once, when all has been sent and answered, or waited for long enough */
  constructor(schedule: Schedule, recorder: Recorder, send: (text: string) => void, onDone: () => void) {
    this.#schedule = schedule;
    this.#recorder = recorder;
    this.#send = send;
    this.#onDone = onDone;
    this.#plan();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Takes a reply: those to pings carry no number, and come in order. */
  take(text: string): void {
    const now = performance.now();
    const n = this.#schedule.kind === 'ping' ? this.#replied : Number(/"n":(\d+)/.exec(text)?.[1]);
    const sent = this.#waiting.get(n);
    if (!sent) {
      this.#recorder.fail('a reply that nobody waits for');
      return;
    }
    this.#waiting.delete(n);
    this.#replied++;
    this.#recorder.count('messages answered');
    this.#recorder.time('send to reply', now - sent.sentAt);
    this.#recorder.time('intended to reply', now - sent.intendedAt);
    if (this.#isComplete && this.#waiting.size === 0) this.#finish();
  }

  #plan(): void {
    const { firstAt, everyMs, count, until } = this.#schedule;
    const at = firstAt + this.#sent * everyMs;
    if (this.#sent < count && at < until) this.#at(at, () => this.#sendOne(at));
    else this.#at(Math.min(at, until), () => this.#complete());
  }

  #sendOne(intendedAt: number): void {
    const { kind } = this.#schedule;
    const n = this.#sent++;
    const sentAt = performance.now();
    // Timers may fire a fraction of a millisecond early.
    this.#waiting.set(n, { intendedAt: Math.min(intendedAt, sentAt), sentAt });
    this.#recorder.count('messages sent');
    this.#send(`{"messageType":"${kind}","data":${kind === 'ping' ? null : `{"n":${n}}`}}`);
    this.#plan();
  }

  #complete(): void {
    this.#isComplete = true;
    if (this.#waiting.size === 0) this.#finish();
    else this.#at(performance.now() + this.#schedule.timeoutMs, () => this.#finish());
  }

  #finish(): void {
    clearTimeout(this.#timer);
    for (const _ of this.#waiting) this.#recorder.fail('a message without a reply');
    this.#onDone();
  }

  #at(time: number, step: () => void): void {
    this.#timer = setTimeout(step, Math.max(0, time - performance.now()));
  }
}
