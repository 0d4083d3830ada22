import { log } from '../telemetry/log.ts';
import { type BatchResult, groupOf, type PushMessage, versionOf } from './pushMessage.ts';
import type { RetryQueue } from './queue.ts';
import { type ServeParts, serveShard } from './serve.ts';

/** What of SQS's event is used. */
export interface QueueEvent {
  readonly Records: readonly QueueRecord[];
}

/** One message, as SQS hands it in. */
export interface QueueRecord {
  readonly messageId: string;
  readonly body: string;
  readonly receiptHandle: string;
  readonly attributes: { readonly ApproximateReceiveCount: string };
}

/** What of Lambda's context is used. */
export interface Invocation {
  getRemainingTimeInMillis(): number;
}

/** What a delivery needs. */
export interface DeliverParts extends ServeParts {
  readonly queue: RetryQueue;
}

interface Message {
  readonly record: QueueRecord;
  readonly work: PushMessage;
  readonly group: string;
}

/**
 * Makes the handler of the push queue: sends changes to the connections of their shard, one item a message, in order.
 * The groups of a batch are served side by side.
 *
 * Messages that fail are handed in again soon, and with them all later ones of their group, so that nothing overtakes
 * them; so are those that there was no time for.
 */
export function createDeliver(parts: DeliverParts) {
  return async (event: QueueEvent, invocation: Invocation): Promise<BatchResult> => {
    // A round that is begun in the first half of the function's time ends before the second is over.
    const lastBeginning = parts.now() + invocation.getRemainingTimeInMillis() / 2;
    const messages = event.Records.flatMap((record) => readMessage(record) ?? []);
    const unreadable = event.Records.filter((record) => !messages.some((message) => message.record === record));
    const groups = [...Map.groupBy(messages, ({ group }) => group).values()];
    const unserved = await Promise.all(groups.map((group) => deliver(parts, group, lastBeginning)));
    const failures = [...unreadable, ...unserved.flat()];
    await Promise.all(failures.map((record) => retrySoon(parts.queue, record)));
    return { batchItemFailures: failures.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

function readMessage(record: QueueRecord): Message | undefined {
  try {
    const work = JSON.parse(record.body) as PushMessage;
    return { record, work, group: groupOf(work) };
  } catch {
    log.error('a message of the push queue is not one of ours', { messageId: record.messageId });
    return undefined;
  }
}

/** Serves messages of one group. @returns those that are still to be served */
async function deliver(parts: DeliverParts, messages: readonly Message[], lastBeginning: number) {
  const attempts = messages.map(({ work, record }) => ({ work, isRetry: timesReceived(record) > 1 }));
  let servedTo = 0;
  try {
    for await (servedTo of serveShard(parts, attempts)) if (parts.now() > lastBeginning) break;
  } catch (error) {
    log.error('delivery failed; the queue will hand it in again', { error: error as Error, group: messages[0]?.group });
  }
  return messages.flatMap((message) => (versionOf(message.work) > servedTo ? [message.record] : []));
}

/** Where this fails the message comes again all the same, once its visibility ends. */
async function retrySoon(queue: RetryQueue, record: QueueRecord): Promise<void> {
  try {
    await queue.retrySoon(record.receiptHandle, timesReceived(record));
  } catch (error) {
    log.warn('the queue was not told to try again soon', { error: error as Error });
  }
}

function timesReceived({ attributes }: QueueRecord): number {
  return Number(attributes.ApproximateReceiveCount);
}
