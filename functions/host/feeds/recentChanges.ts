import type { Push } from '../../../shared/delivery/pushes.ts';
import { Patch } from './patch.ts';

/** Maximum number of changes, and maximum size of them together. */
const LIMIT = { changes: 1_000, bytes: 8 * 1024 * 1024 };

/** An environment's last changes. Connections that were being answered or had unread messages receive them later. */
export class RecentChanges {
  #patches: Patch[] = [];
  #bytes = 0;
  #completeFrom = 0;

  /** All changes after this version are here. A connection at an older version cannot be brought up to date. */
  get completeFrom(): number {
    return this.#completeFrom;
  }

  /** @param pushes ascending by version, all newer than earlier ones */
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

  /** Removes the oldest changes, down to the limit. */
  forgetOldest(): void {
    let count = 0;
    while (this.#patches.length - count > LIMIT.changes || this.#bytes > LIMIT.bytes) {
      const { push } = this.#patches[count++] as Patch;
      this.#bytes -= push.source.json.length;
      this.#completeFrom = push.updatedAt;
    }
    this.#patches.splice(0, count);
  }
}
