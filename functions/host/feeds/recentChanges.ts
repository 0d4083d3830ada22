import { patchFor } from '../../../shared/delivery/patch.ts';
import type { Push } from '../../../shared/delivery/pushes.ts';
import type { Subscriber } from './subscriber.ts';

/** Maximum number of changes, and maximum size of them together. */
const LIMIT = { changes: 1_000, bytes: 8 * 1024 * 1024 };

/** A change to send to subscribers, with the message for servers once it is built. It is the same for all of them. */
interface Patch {
  readonly push: Push;
  forServers?: string | undefined;
}

/** The message for a subscriber. @returns undefined for a segment if the subscriber is a client */
function messageFor({ type, user }: Subscriber, patch: Patch): string | undefined {
  if (type === 'client') return patchFor(patch.push.source, { type, user });
  patch.forServers ??= patchFor(patch.push.source, { type });
  return patch.forServers;
}

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
      this.#patches.push({ push });
      this.#bytes += push.source.json.length;
    }
  }

  /** All changes after a version, ascending. */
  after(version: number): readonly Patch[] {
    let first = this.#patches.length;
    while (first > 0 && (this.#patches[first - 1] as Patch).push.updatedAt > version) first--;
    return this.#patches.slice(first);
  }

  /** Sends a subscriber the changes after a version, until one stays unread. @returns their number */
  sendTo(subscriber: Subscriber, version: number): number {
    let sent = 0;
    for (const patch of this.after(version)) {
      const message = messageFor(subscriber, patch);
      if (message !== undefined) subscriber.send(message);
      subscriber.version = patch.push.updatedAt;
      sent++;
      if (!subscriber.isDrained) break;
    }
    return sent;
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
