import type { Push } from '../../shared/delivery/pushes.ts';
import { Patch } from './patch.ts';

/** What is kept at most: so many changes, of so many bytes in all. */
const MOST = { changes: 1_000, bytes: 8 * 1024 * 1024 };

/** An environment's last changes, for connections that were being answered, or had yet to read, while they went out. */
export class RecentChanges {
  #patches: Patch[] = [];
  #bytes = 0;
  #completeFrom = 0;

  /** The version after which all changes are here; who has only an older one cannot be made up for. */
  get completeFrom(): number {
    return this.#completeFrom;
  }

  /** @param pushes ascending by version, all newer than those before */
  add(pushes: readonly Push[]): void {
    for (const push of pushes) {
      this.#patches.push(new Patch(push));
      this.#bytes += push.source.json.length;
    }
  }

  /** All changes after a version, ascending. */
  after(version: number): readonly Patch[] {
    let first = this.#patches.length;
    while (first > 0 && (this.#patches[first - 1] as Patch).push.updatedAt > version) first--;
    return this.#patches.slice(first);
  }

  /** Lets the oldest go, down to what may be kept. */
  forgetOldest(): void {
    let count = 0;
    while (this.#patches.length - count > MOST.changes || this.#bytes > MOST.bytes) {
      const { push } = this.#patches[count++] as Patch;
      this.#bytes -= push.source.json.length;
      this.#completeFrom = push.updatedAt;
    }
    this.#patches.splice(0, count);
  }
}
