import type { Recorder } from './recorder.ts';

/** Connections that have begun and are not open yet. Artillery tells nobody of those that never will be. */
export class Pending {
  readonly #recorder: Recorder;
  readonly #timeoutMs: number;
  /** When each began, on the clock of `performance.now`; the oldest first. */
  readonly #began = new Map<number, number>();

  constructor(recorder: Recorder, timeoutMs: number) {
    this.#recorder = recorder;
    this.#timeoutMs = timeoutMs;
  }

  begin(n: number): void {
    this.#began.set(n, performance.now());
    this.#recorder.count('began');
  }

  /** @returns when it began */
  open(n: number): number {
    const beganAt = this.#began.get(n) ?? performance.now();
    this.#began.delete(n);
    return beganAt;
  }

  /** Counts those as failed that have taken too long. @param timeoutMs 0 at the end, when nobody waits any more */
  sweep(timeoutMs = this.#timeoutMs): void {
    const now = performance.now();
    for (const [n, beganAt] of this.#began) {
      if (now - beganAt < timeoutMs) return;
      this.#began.delete(n);
      this.#recorder.fail('no handshake');
    }
  }
}
