import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { QueueDefinition } from './definition.ts';
import type { Message, OutgoingMessage, ReceivedMessage, SentMessage } from './message.ts';

/** Lifetime of a deduplication id in a FIFO queue. */
const deduplicationWindowMs = 5 * 60 * 1000;

/** The messages of the last five minutes in a FIFO queue, by their key. */
class Deduplication {
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

/** A message in its queue, with what consumers did to it. */
interface Entry {
  readonly message: Message;
  receiveCount: number;
  firstReceivedAt: number;
  hiddenUntil: number;
  receiptHandle?: string;
}

/** Takes the messages that a queue gives up. */
type DeadLetters = () => Pick<Queue, 'adopt'>;

/**
 * One queue: at least once, and for FIFO in order within a message group and once within five minutes. It lives in memory: all that its
 * messages are for, open connections, ends with the process too.
 */
export class Queue {
  readonly definition: QueueDefinition;
  readonly #clock: Clock;
  readonly #deadLetters: DeadLetters | undefined;
  readonly #entries = new Map<string, Entry>();
  readonly #handles = new Map<string, Entry>();
  readonly #deduplication = new Deduplication();
  readonly #listeners = new Set<() => void>();
  #sequence = 0;

  constructor(definition: QueueDefinition, clock: Clock, deadLetters?: DeadLetters) {
    this.definition = definition;
    this.#clock = clock;
    this.#deadLetters = deadLetters;
  }

  /** Takes a message. A FIFO duplicate is answered with its first sending. */
  send(message: OutgoingMessage): SentMessage {
    return this.definition.fifo ? this.#sendInOrder(message) : this.#sendSoon(message);
  }

  /**
   * Hands out up to `max` messages and hides them, and the rest of their groups, for the visibility timeout. FIFO: as many as
   * there are of the group that has waited longest, then of the next.
   */
  receive(max: number): ReceivedMessage[] {
    const now = this.#clock.now();
    const received: ReceivedMessage[] = [];
    for (const entry of this.#available(now)) {
      if (received.length >= max) break;
      if (!this.#retire(entry, now)) received.push(this.#take(entry, now));
    }
    if (received.length > 0) this.#clock.after(this.definition.visibilityTimeoutMs, this.#announce);
    return received;
  }

  /**
   * Deletes a received message. A handle that is no longer good does nothing: of a message that was received again, and
   * in a FIFO queue of one that is visible again.
   */
  delete(receiptHandle: string): void {
    const entry = this.#held(receiptHandle);
    if (!entry) return;
    this.#remove(entry);
    if (this.definition.fifo) this.#announce();
  }

  /** Changes for how long a received message stays hidden, from now. */
  changeVisibility(receiptHandle: string, visibilityMs: number): void {
    const entry = this.#held(receiptHandle);
    if (!entry) return;
    entry.hiddenUntil = this.#clock.now() + visibilityMs;
    this.#clock.after(visibilityMs, this.#announce);
  }

  /** The numbers of waiting and hidden messages. */
  counts(): { readonly waiting: number; readonly hidden: number } {
    const now = this.#clock.now();
    const hidden = [...this.#entries.values()].filter((entry) => entry.hiddenUntil > now).length;
    return { waiting: this.#entries.size - hidden, hidden };
  }

  /** Calls `listener` whenever there may be something to receive. @returns a function that ends it. */
  onAvailable(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes over a dead letter of another queue. Only a FIFO queue counts its age anew. */
  adopt(message: Message): void {
    this.#add(this.definition.fifo ? { ...message, sentAt: this.#clock.now() } : message);
  }

  close(): void {
    this.#listeners.clear();
  }

  #sendSoon({ body, traceHeader }: OutgoingMessage): SentMessage {
    const id = randomUUID();
    this.#add({ id, body, sentAt: this.#clock.now(), traceHeader });
    return { id };
  }

  #sendInOrder({ body, groupId = '', deduplicationId = '', traceHeader }: OutgoingMessage): SentMessage {
    const now = this.#clock.now();
    const isPerGroup = this.definition.deduplicationScope === 'messageGroup';
    const key = isPerGroup ? JSON.stringify([groupId, deduplicationId]) : deduplicationId;
    const before = this.#deduplication.find(key, now);
    if (before) return before;
    const sent = { id: randomUUID(), sequenceNumber: String(++this.#sequence).padStart(20, '0') };
    this.#deduplication.remember(key, sent, now);
    this.#add({ ...sent, body, groupId, deduplicationId, sentAt: now, traceHeader });
    return sent;
  }

  #add(message: Message): void {
    this.#entries.set(message.id, { message, receiveCount: 0, firstReceivedAt: 0, hiddenUntil: 0 });
    this.#announce();
  }

  readonly #announce = (): void => {
    for (const listener of this.#listeners) queueMicrotask(listener);
  };

  #remove({ message, receiptHandle }: Entry): void {
    this.#entries.delete(message.id);
    if (receiptHandle !== undefined) this.#handles.delete(receiptHandle);
  }

  /** The message behind a handle that is still good. */
  #held(receiptHandle: string): Entry | undefined {
    const entry = this.#handles.get(receiptHandle);
    return entry && this.definition.fifo && entry.hiddenUntil <= this.#clock.now() ? undefined : entry;
  }

  #take(entry: Entry, now: number): ReceivedMessage {
    if (entry.receiptHandle !== undefined) this.#handles.delete(entry.receiptHandle);
    entry.receiptHandle = randomUUID();
    entry.receiveCount += 1;
    entry.firstReceivedAt ||= now;
    entry.hiddenUntil = now + this.definition.visibilityTimeoutMs;
    this.#handles.set(entry.receiptHandle, entry);
    const { receiptHandle, receiveCount, firstReceivedAt } = entry;
    return { ...entry.message, receiptHandle, receiveCount, firstReceivedAt };
  }

  /**
   * Messages for the next receive, in order. FIFO: no message of a group with a received message, and all messages of
   * one group before the next group, so that a batch blocks as few groups as possible.
   *
   * Source: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html
   */
  #available(now: number): Entry[] {
    const isOut = ({ hiddenUntil }: Entry) => hiddenUntil > now;
    if (!this.definition.fifo) return [...this.#entries.values()].filter((entry) => !isOut(entry));
    const groups = Map.groupBy(this.#entries.values(), ({ message }) => message.groupId);
    return [...groups.values()].filter((group) => !group.some(isOut)).flat();
  }

  /** True when the message left the queue instead of being received once more. */
  #retire(entry: Entry, now: number): boolean {
    const { redrive, retentionMs } = this.definition;
    const expired = entry.message.sentAt + retentionMs <= now;
    const worn = redrive !== undefined && entry.receiveCount >= redrive.maxReceiveCount;
    if (worn && !expired) this.#deadLetters?.().adopt(entry.message);
    if (worn || expired) this.#remove(entry);
    return worn || expired;
  }
}

/** All queues of the emulator. */
export type Queues = ReturnType<typeof createQueues>;

/** Makes the queues. @throws Error for a dead-letter queue that is not in the templates */
export function createQueues(definitions: readonly QueueDefinition[], clock: Clock) {
  const queues: readonly Queue[] = definitions.map((definition) => {
    const { redrive } = definition;
    return new Queue(definition, clock, redrive && (() => byArn(redrive.queueArn)));
  });
  /** @throws Error when there is no such queue. */
  const byArn = (arn: string): Queue => {
    const queue = queues.find(({ definition }) => definition.arn === arn);
    if (!queue) throw new Error(`There is no queue with ARN "${arn}" in the templates`);
    return queue;
  };
  for (const { redrive } of definitions) if (redrive) byArn(redrive.queueArn);
  return {
    byArn,
    byName: (name: string) => queues.find(({ definition }) => definition.name === name),
    close(): void {
      for (const queue of queues) queue.close();
    },
  };
}
