import { createHash } from 'node:crypto';
import type { QueueDefinition } from './definition.ts';
import type { OutgoingMessage, SentMessage } from './message.ts';

/** Lifetime of a deduplication id in a FIFO queue. */
const deduplicationWindowMs = 5 * 60 * 1000;

/** A remembered deduplication id. */
interface Remembered {
  /** The id within its scope. */
  readonly key: string;
  /** Unix milliseconds at which the first message with it was sent. */
  readonly at: number;
  readonly sent: SentMessage;
}

/** The messages of the last five minutes in a FIFO queue. */
interface Deduplication {
  /** The message sent before under the same key, if that was within the window. */
  find(key: string, now: number): SentMessage | undefined;
  remember(entry: Remembered): void;
}

/** Makes a {@link Deduplication} that knows nothing. */
export function createDeduplication(): Deduplication {
  const known = new Map<string, Remembered>();
  const fresh = (entry: Remembered, now: number) => now - entry.at < deduplicationWindowMs;
  const forgetOld = (now: number) => {
    for (const [key, entry] of known) {
      if (fresh(entry, now)) break;
      known.delete(key);
    }
  };
  return {
    find(key, now) {
      const entry = known.get(key);
      return entry && fresh(entry, now) ? entry.sent : undefined;
    },
    remember(entry) {
      known.delete(entry.key);
      known.set(entry.key, entry);
      forgetOld(entry.at);
    },
  };
}

/** The deduplication id of a message for a FIFO queue: the sender's, or the body's hash where the queue allows it. */
export function deduplicationIdOf(queue: QueueDefinition, message: OutgoingMessage): string | undefined {
  if (message.deduplicationId !== undefined || !queue.contentBasedDeduplication) return message.deduplicationId;
  return createHash('sha256').update(message.body).digest('hex');
}

/** The key under which a deduplication id is unique in a queue. */
export function deduplicationKey(queue: QueueDefinition, groupId: string, deduplicationId: string): string {
  return queue.deduplicationScope === 'messageGroup' ? JSON.stringify([groupId, deduplicationId]) : deduplicationId;
}
