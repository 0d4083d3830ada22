import type { Effects } from '../../../shared/runtime/effects.ts';

/** The minimum time between the starts of two reads, in milliseconds. */
interface Spacing {
  readonly ms: number;
  readonly effects: Pick<Effects, 'monotonic' | 'pause'>;
}

/**
 * Shares reads among callers, one read at a time. Each caller gets a read that started after its call. All callers during one
 * read share the next one.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>;
  readonly #spacing: Spacing | undefined;
  #began = Number.NEGATIVE_INFINITY;
  #current: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  /** @param spacing none by default */
  constructor(read: () => Promise<T>, spacing?: Spacing) {
    this.#read = read;
    this.#spacing = spacing;
  }

  /** @throws what the read throws, to all callers who share it */
  read(): Promise<T> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<T> {
    await this.#current?.catch(() => {});
    if (this.#spacing) {
      const { ms, effects } = this.#spacing;
      const wait = this.#began + ms - effects.monotonic();
      if (wait > 0) await effects.pause(wait);
      this.#began = effects.monotonic();
    }
    // Later callers get the next read.
    this.#next = undefined;
    this.#current = this.#read();
    return this.#current;
  }
}
