import type { Effects } from '../../../shared/runtime/effects.ts';

/** The minimum time between the starts of two runs, in milliseconds. */
interface Spacing {
  readonly ms: number;
  readonly effects: Pick<Effects, 'monotonic' | 'pause'>;
}

/**
 * Shares the runs of an operation among callers, one run at a time. Each caller gets a run that started after its call.
 * All callers during one run share the next one.
 */
export class SharedRun<T> {
  readonly #operation: () => Promise<T>;
  readonly #spacing: Spacing | undefined;
  #began = Number.NEGATIVE_INFINITY;
  #current: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  /** @param spacing none by default */
  constructor(operation: () => Promise<T>, spacing?: Spacing) {
    this.#operation = operation;
    this.#spacing = spacing;
  }

  /** @throws the error of the operation, to all callers who share the run */
  run(): Promise<T> {
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
    // Later callers get the next run.
    this.#next = undefined;
    this.#current = this.#operation();
    return this.#current;
  }
}
