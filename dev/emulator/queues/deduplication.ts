import type { QueueDefinition } from './definition.ts';
import type { SentMessage } from './message.ts';

/** Lifetime of a deduplication id in a FIFO queue. */
const deduplicationWindowMs = 5 * 60 * 1000;

/** The messages of the last five minutes in a FIFO queue, by their key. */
export class Deduplication {
  /** The oldest first. */
  readonly #known = new Map<string, { readonly at: number; readonly sent: SentMessage }>();

  /** The first message with the same key, if it was sent within the window. */
  find(key: string, now: number): SentMessage | undefined {
    const entry = this.#known.get(key);
    return entry && now - entry.at < deduplicationWindowMs ? entry.sent : undefined;
  }

  /** Remembers a message, and forgets older ones than the window. */
  remember(key: string, sent: SentMessage, now: number): void {
    this.#known.delete(key);
    this.#known.set(key, { at: now, sent });
    for (const [old, { at }] of this.#known) {
      if (now - at < deduplicationWindowMs) return;
      this.#known.delete(old);
    }
  }
}

/** The key under which a deduplication id is unique in a queue. */
export function deduplicationKey(queue: QueueDefinition, groupId: string, deduplicationId: string): string {
  return queue.deduplicationScope === 'messageGroup' ? JSON.stringify([groupId, deduplicationId]) : deduplicationId;
}
