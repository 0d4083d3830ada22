import type { Deduplication, Remembered } from './deduplication.ts';
import { deduplicationKey } from './deduplication.ts';
import type { QueueDefinition } from './definition.ts';
import type { Message } from './message.ts';

/** A message in its queue, with what consumers did to it. */
export interface Entry {
  readonly message: Message;
  receiveCount: number;
  firstReceivedAt: number;
  hiddenUntil: number;
  receiptHandle?: string;
}

/** What a queue's journal says, line by line. */
export type JournalRecord =
  | { readonly op: 'send'; readonly message: Message; readonly received?: { count: number; firstAt: number } }
  | { readonly op: 'receive'; readonly id: string; readonly at: number }
  | { readonly op: 'delete'; readonly id: string }
  | { readonly op: 'remember'; readonly entry: Remembered }
  | { readonly op: 'sequence'; readonly value: number };

/**
 * Puts a queue into the state its journal describes. Messages that were hidden are visible again: whoever had them
 * died with the process.
 *
 * @returns the last sequence number given.
 */
export function replay(
  records: readonly JournalRecord[],
  into: { definition: QueueDefinition; entries: Map<string, Entry>; deduplication: Deduplication },
): number {
  let sequence = 0;
  for (const record of records) {
    switch (record.op) {
      case 'send': {
        const { message, received } = record;
        const { count = 0, firstAt = 0 } = received ?? {};
        into.entries.set(message.id, {
          message,
          receiveCount: count,
          firstReceivedAt: firstAt,
          hiddenUntil: message.delayedUntil ?? 0,
        });
        sequence = Math.max(sequence, Number(message.sequenceNumber ?? 0));
        rememberSending(message, into);
        break;
      }
      case 'receive': {
        const entry = into.entries.get(record.id);
        if (entry) entry.receiveCount += 1;
        if (entry) entry.firstReceivedAt ||= record.at;
        break;
      }
      case 'delete':
        into.entries.delete(record.id);
        break;
      case 'remember':
        into.deduplication.remember(record.entry);
        break;
      case 'sequence':
        sequence = Math.max(sequence, record.value);
        break;
    }
  }
  return sequence;
}

/** The shortest journal that describes a queue's state. */
export function recordsOf(state: {
  entries: ReadonlyMap<string, Entry>;
  deduplication: Deduplication;
  sequence: number;
  now: number;
}): JournalRecord[] {
  return [
    { op: 'sequence', value: state.sequence },
    ...[...state.entries.values()].map(({ message, receiveCount, firstReceivedAt }) => ({
      op: 'send' as const,
      message,
      ...(receiveCount > 0 && { received: { count: receiveCount, firstAt: firstReceivedAt } }),
    })),
    ...state.deduplication.entries(state.now).map((entry) => ({ op: 'remember' as const, entry })),
  ];
}

function rememberSending(
  message: Message,
  { definition, deduplication }: { definition: QueueDefinition; deduplication: Deduplication },
): void {
  const { id, sentAt, groupId, deduplicationId, sequenceNumber } = message;
  if (groupId === undefined || deduplicationId === undefined || sequenceNumber === undefined) return;
  const key = deduplicationKey(definition, groupId, deduplicationId);
  deduplication.remember({ key, at: sentAt, sent: { id, sequenceNumber } });
}
