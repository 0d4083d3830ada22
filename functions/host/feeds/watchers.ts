import type { Effects } from '../../../shared/runtime/effects.ts';
import { COMMIT_WAIT_MS } from '../../../shared/store/table/commitWait.ts';
import { type Connection, forEachInTurns } from '../transport/transport.ts';

/** Is notified of changes, without their content. */
export interface Watcher extends Connection {
  /** @param version the environment's newest */
  notify(version: number): void;
}

/** The watchers of one environment. They are notified of versions that are acknowledged. */
export class Watchers {
  readonly #effects: Pick<Effects, 'elapse'>;
  /** Each with the version that it was added with. */
  readonly #all = new Map<Watcher, number>();

  constructor(effects: Pick<Effects, 'elapse'>) {
    this.#effects = effects;
  }

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<Watcher> {
    return this.#all.keys();
  }

  /** Adds a watcher, and notifies it of a version. @returns a function that removes it */
  add(watcher: Watcher, version: number): () => void {
    this.#all.set(watcher, version);
    void this.#notify([[watcher, version]], version);
    return () => void this.#all.delete(watcher);
  }

  clear(): void {
    this.#all.clear();
  }

  /**
   * Notifies all, those included that are added while the version is not acknowledged yet. One that was added with a later version is
   * not notified.
   */
  notify(version: number): void {
    void this.#notify(this.#all, version);
  }

  /** Waits until the version is acknowledged. Then the readings of all hosts have it, whichever one a client asks. */
  async #notify(watchers: Iterable<readonly [Watcher, number]>, version: number): Promise<void> {
    await this.#effects.elapse(COMMIT_WAIT_MS);
    await forEachInTurns(watchers, ([watcher, addedWith]) => {
      if (this.#all.has(watcher) && addedWith <= version) watcher.notify(version);
    });
  }
}
