import type { StoredDocument } from '../../shared/store/documents/item.ts';
import { pushMessage } from './service.ts';

/** A change in the queue, and how often it was delivered. */
interface Queued {
  readonly stored: StoredDocument;
  times: number;
}

/** A message, its number of changes, and its receive count. */
interface QueuedMessage {
  readonly body: string;
  readonly count: number;
  readonly times: number;
}

/** The push queue of a world: one group. Its first messages are delivered until they are removed. */
export class WorldQueue {
  readonly #random: () => number;
  readonly #shard: number;
  readonly #waiting: Queued[] = [];

  constructor(random: () => number, shard: number) {
    this.#random = random;
    this.#shard = shard;
  }

  /** The number of waiting changes. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Whether the first change was never delivered. */
  get isFirstNew(): boolean {
    return this.#waiting[0]?.times === 0;
  }

  add(written: readonly StoredDocument[]): void {
    this.#waiting.push(...written.map((stored) => ({ stored, times: 0 })));
  }

  /** Removes the first changes. */
  remove(count: number): void {
    this.#waiting.splice(0, count);
  }

  /** The first messages: up to three, with up to two changes each. */
  next(): QueuedMessage[] {
    const waiting = [...this.#waiting];
    const messages: QueuedMessage[] = [];
    for (let n = Math.floor(this.#random() * 3); n >= 0; n--) {
      const changes = waiting.splice(0, this.#random() < 0.5 ? 1 : 2);
      for (const change of changes) change.times++;
      const [first, ...others] = changes.map(({ stored }) => ({
        ...stored,
        writtenAt: Math.floor(stored.writtenAt / 1_000) * 1_000,
      }));
      const times = Math.max(...changes.map((change) => change.times));
      if (first) messages.push({ ...pushMessage([first, ...others], this.#shard), count: changes.length, times });
    }
    return messages;
  }
}
