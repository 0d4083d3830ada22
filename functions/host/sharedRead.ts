import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Shares reads among callers, one at a time: each gets the result of a read that began after it called, so that it holds
 * whatever was there at the call; all who call during one read share the next.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>;
  readonly #spacingMs: number;
  #began = Number.NEGATIVE_INFINITY;
  #current: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  /** @param spacingMs the least time between the beginnings of two reads */
  constructor(read: () => Promise<T>, spacingMs = 0) {
    this.#read = read;
    this.#spacingMs = spacingMs;
  }

  /** @throws what the read throws, to everybody who shares it */
  read(): Promise<T> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<T> {
    await this.#current?.catch(() => {});
    const wait = this.#began + this.#spacingMs - performance.now();
    if (wait > 0) await sleep(wait);
    // From here on callers are too late for this one.
    this.#next = undefined;
    this.#began = performance.now();
    this.#current = this.#read();
    return this.#current;
  }
}
