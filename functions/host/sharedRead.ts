import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Shares reads among callers, one read at a time. Each caller gets a read that started after its call. All callers during one
 * read share the next one.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>;
  readonly #spacingMs: number;
  #began = Number.NEGATIVE_INFINITY;
  #current: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  /** @param spacingMs minimum time between the starts of two reads */
  constructor(read: () => Promise<T>, spacingMs = 0) {
    this.#read = read;
    this.#spacingMs = spacingMs;
  }

  /** @throws what the read throws, to all callers who share it */
  read(): Promise<T> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<T> {
    await this.#current?.catch(() => {});
    const wait = this.#began + this.#spacingMs - performance.now();
    if (wait > 0) await sleep(wait);
    // Later callers get the next read.
    this.#next = undefined;
    this.#began = performance.now();
    this.#current = this.#read();
    return this.#current;
  }
}
