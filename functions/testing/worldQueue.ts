import type { StoredDocument } from '../../shared/store/documents/item.ts';
import { SnapshotCache } from '../../shared/store/snapshots/snapshotCache.ts';
import type { TestStore } from '../../shared/store/testing/testTables.ts';
import { createDeliver } from '../push/deliver.ts';
import { pushMessage, queueRecord } from './service.ts';
import { type Step, type Steps, untilKilled } from './steps.ts';
import type { Scenario } from './worldScenario.ts';
import type { WorldWires } from './worldWires.ts';

/** Maximum number of steps before a delivery is killed. */
const LONGEST_LIFE = 80;

/** What delivers the messages of a queue. */
interface Delivery {
  readonly steps: Steps;
  readonly wires: WorldWires;
  readonly open: (living: Step) => TestStore;
  /** Whether all changes are in the queue. */
  readonly isWritten: () => boolean;
}

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

  add(written: readonly StoredDocument[]): void {
    this.#waiting.push(...written.map((stored) => ({ stored, times: 0 })));
  }

  /** The first messages: up to three, with up to two changes each. */
  #next(): QueuedMessage[] {
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

  /**
   * The queue's only group. It handles a few messages at a time and loses or repeats some. Failed ones are redelivered.
   */
  async deliverAll({ trouble, kills }: Scenario, delivery: Delivery): Promise<void> {
    const { isWritten, steps } = delivery;
    const { random, turn } = steps;
    while (!isWritten() || this.#waiting.length > 0) {
      await turn(random() < 0.5 ? 0 : random() * 400);
      const isLast = isWritten() && this.#waiting.length === 1;
      // Stream records get lost. The queue keeps what it has delivered until that succeeds.
      if (random() < trouble && !isLast && this.#waiting[0]?.times === 0) {
        this.#waiting.shift();
        continue;
      }
      const life = random() < kills ? random() * LONGEST_LIFE : Number.POSITIVE_INFINITY;
      // Time is short if anything fails at all.
      const timeMs = trouble + kills > 0 ? random() * 2_000 : 60_000;
      await this.#deliverOnce(delivery, { life, timeMs, trouble });
    }
  }

  /** @param life number of steps before it is killed */
  async #deliverOnce(
    { steps, wires, open }: Delivery,
    { life, timeMs, trouble }: { life: number; timeMs: number; trouble: number },
  ): Promise<void> {
    const { now, random } = steps;
    const { living, isKilled } = untilKilled(life);
    const store = open(living);
    const snapshots = new SnapshotCache(store, () => {});
    const sender = { post: (to: string, text: string) => living(() => wires.post(to, text, trouble)) };
    const queue = { changeVisibility: async () => {}, sendToDeadLetterQueue: async () => {} };
    const deliver = createDeliver({ ...store, snapshots, sender, queue, now, postsPerChunk: 2 });
    const messages = this.#next();
    const Records = messages.map(({ body, times }, index) => queueRecord(body, index, { times, sentAt: now() }));
    const { batchItemFailures } = await deliver({ Records }, { getRemainingTimeInMillis: () => timeMs });
    if (isKilled()) return;
    const isFailed = (index: number) =>
      batchItemFailures.some(({ itemIdentifier }) => itemIdentifier === String(index));
    for (const [index, { count }] of messages.entries()) {
      if (isFailed(index) || random() < trouble) break;
      this.#waiting.splice(0, count);
    }
  }
}
