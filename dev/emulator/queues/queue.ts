import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { Deduplication, deduplicationKey } from './deduplication.ts';
import type { QueueDefinition } from './definition.ts';
import type { Message, OutgoingMessage, ReceivedMessage, SentMessage } from './message.ts';

/** A message in its queue, with what consumers did to it. */
interface Entry {
  readonly message: Message;
  receiveCount: number;
  firstReceivedAt: number;
  hiddenUntil: number;
  receiptHandle?: string;
}

/** One queue: at least once, and for FIFO in order within a message group and once within five minutes. */
export type Queue = ReturnType<typeof createQueue>;

/** Makes an empty queue. It lives in memory: all that its messages are for, open connections, ends with the process too. */
export function createQueue(
  definition: QueueDefinition,
  { clock, deadLetters }: { clock: Clock; deadLetters?: () => { adopt(message: Message): void } },
) {
  const entries = new Map<string, Entry>();
  const deduplication = new Deduplication();
  const listeners = new Set<() => void>();
  const handles = new Map<string, Entry>();
  let sequence = 0;

  const announce = () => {
    for (const listener of listeners) queueMicrotask(listener);
  };

  function announceLater({ delayedUntil }: Message): void {
    if (delayedUntil === undefined) announce();
    else clock.after(Math.max(0, delayedUntil - clock.now()), announce);
  }

  function add(message: Message): void {
    entries.set(message.id, { message, receiveCount: 0, firstReceivedAt: 0, hiddenUntil: message.delayedUntil ?? 0 });
    announceLater(message);
  }

  function remove(entry: Entry): void {
    entries.delete(entry.message.id);
    if (entry.receiptHandle !== undefined) handles.delete(entry.receiptHandle);
  }

  /** The message behind a handle that is still good. */
  function held(receiptHandle: string): Entry | undefined {
    const entry = handles.get(receiptHandle);
    return entry && definition.fifo && entry.hiddenUntil <= clock.now() ? undefined : entry;
  }

  function take(entry: Entry, now: number): ReceivedMessage {
    if (entry.receiptHandle !== undefined) handles.delete(entry.receiptHandle);
    entry.receiptHandle = randomUUID();
    entry.receiveCount += 1;
    entry.firstReceivedAt ||= now;
    entry.hiddenUntil = now + definition.visibilityTimeoutMs;
    handles.set(entry.receiptHandle, entry);
    const { receiptHandle, receiveCount, firstReceivedAt } = entry;
    return { ...entry.message, receiptHandle, receiveCount, firstReceivedAt };
  }

  /**
   * Messages for the next receive, in order. FIFO: no message of a group with a received message, and all messages of
   * one group before the next group, so that a batch blocks as few groups as possible.
   *
   * Source: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html
   */
  function available(now: number): Entry[] {
    const isOut = ({ hiddenUntil }: Entry) => hiddenUntil > now;
    if (!definition.fifo) return [...entries.values()].filter((entry) => !isOut(entry));
    const groups = Map.groupBy(entries.values(), ({ message }) => message.groupId);
    return [...groups.values()].filter((group) => !group.some(isOut)).flat();
  }

  /** True when the message left the queue instead of being received once more. */
  function retire(entry: Entry, now: number): boolean {
    const expired = entry.message.sentAt + definition.retentionMs <= now;
    const worn = definition.redrive !== undefined && entry.receiveCount >= definition.redrive.maxReceiveCount;
    if (worn && !expired) deadLetters?.().adopt(entry.message);
    if (worn || expired) remove(entry);
    return worn || expired;
  }

  return {
    definition,
    /** Takes a message. A FIFO duplicate is answered with its first sending. */
    send({ body, ...given }: OutgoingMessage): SentMessage {
      const now = clock.now();
      const { traceHeader } = given;
      if (!definition.fifo) {
        const delayedUntil = now + (given.delayMs ?? 0);
        const message = {
          id: randomUUID(),
          body,
          sentAt: now,
          traceHeader,
          ...(given.delayMs ? { delayedUntil } : {}),
        };
        add(message);
        return { id: message.id };
      }
      const { groupId = '', deduplicationId = '' } = given;
      const key = deduplicationKey(definition, groupId, deduplicationId);
      const before = deduplication.find(key, now);
      if (before) return before;
      sequence += 1;
      const sequenceNumber = String(sequence).padStart(20, '0');
      const message = { id: randomUUID(), body, groupId, deduplicationId, sequenceNumber, sentAt: now, traceHeader };
      deduplication.remember(key, { id: message.id, sequenceNumber }, now);
      add(message);
      return { id: message.id, sequenceNumber };
    },
    /**
     * Hands out up to `max` messages and hides them, and the rest of their groups, for the visibility timeout. FIFO: as many as
     * there are of the group that has waited longest, then of the next.
     */
    receive(max: number): ReceivedMessage[] {
      const now = clock.now();
      const received: ReceivedMessage[] = [];
      for (const entry of available(now)) {
        if (received.length >= max) break;
        if (!retire(entry, now)) received.push(take(entry, now));
      }
      if (received.length > 0) clock.after(definition.visibilityTimeoutMs, announce);
      return received;
    },
    /**
     * Deletes a received message. A handle that is no longer good does nothing: of a message that was received again, and
     * in a FIFO queue of one that is visible again.
     */
    delete(receiptHandle: string): void {
      const entry = held(receiptHandle);
      if (!entry) return;
      remove(entry);
      if (definition.fifo) announce();
    },
    /** Changes for how long a received message stays hidden, from now. */
    changeVisibility(receiptHandle: string, visibilityMs: number): void {
      const entry = held(receiptHandle);
      if (!entry) return;
      entry.hiddenUntil = clock.now() + visibilityMs;
      clock.after(visibilityMs, announce);
    },
    /** The numbers of waiting and hidden messages. */
    counts() {
      const now = clock.now();
      const hidden = [...entries.values()].filter((entry) => entry.hiddenUntil > now).length;
      return { waiting: entries.size - hidden, hidden };
    },
    /** Calls `listener` whenever there may be something to receive. @returns a function that ends it. */
    onAvailable(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Takes over a dead letter of another queue. Only a FIFO queue counts its age anew. */
    adopt: ({ delayedUntil: _, ...message }: Message) =>
      add(definition.fifo ? { ...message, sentAt: clock.now() } : message),
    close: () => listeners.clear(),
  };
}
