import { log } from '../telemetry/log.ts';
import { type BatchResult, groupOf, type PushMessage, versionOf } from './pushMessage.ts';
import type { RetryQueue } from './queue.ts';
import { type ServeParts, serveShard } from './serve.ts';

/** The part of SQS's event that is used. */
interface QueueEvent {
  readonly Records: readonly QueueRecord[];
}

/** One message, as SQS hands it in. */
interface QueueRecord {
  readonly messageId: string;
  readonly body: string;
  readonly receiptHandle: string;
  readonly attributes: { readonly ApproximateReceiveCount: string };
}

/** The part of Lambda's context that is used. */
export interface Invocation {
  getRemainingTimeInMillis(): number;
}

/** What a delivery needs. */
interface DeliverParts extends ServeParts {
  readonly queue: RetryQueue;
}

interface Message {
  readonly record: QueueRecord;
  readonly push: PushMessage;
  readonly group: string;
}

/**
 * Makes the handler of the push queue: sends changes to the connections of their shard, one item a message, in order.
 * The groups of a batch are served concurrently.
 *
 * A message that fails is retried soon, together with all later ones of its group, so that nothing overtakes it. So are
 * those that there was no time for.
 */
export function createDeliver(parts: DeliverParts) {
  return async (event: QueueEvent, invocation: Invocation): Promise<BatchResult> => {
    // A round that begins in the first half of the function's time ends within the second.
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
    const push = JSON.parse(record.body) as PushMessage;
    return { record, push, group: groupOf(push) };
  } catch {
    log.error('message of the push queue cannot be read', { messageId: record.messageId });
    return undefined;
  }
}

/** Serves messages of one group. @returns those that are to be retried */
async function deliver(parts: DeliverParts, messages: readonly Message[], lastBeginning: number) {
  const attempts = messages.map(({ push, record }) => ({ push, isRetry: timesReceived(record) > 1 }));
  let servedTo = 0;
  try {
    for await (servedTo of serveShard(parts, attempts)) if (parts.now() > lastBeginning) break;
  } catch (error) {
    log.error('push failed and will be retried', { error: error as Error, group: messages[0]?.group });
  }
  return messages.flatMap((message) => (versionOf(message.push) > servedTo ? [message.record] : []));
}

/** Where this fails, SQS hands the message in again when its visibility ends. */
async function retrySoon(queue: RetryQueue, record: QueueRecord): Promise<void> {
  try {
    await queue.retrySoon(record.receiptHandle, timesReceived(record));
  } catch (error) {
    log.warn('retry is late: the visibility of a message could not be changed', { error: error as Error });
  }
}

function timesReceived({ attributes }: QueueRecord): number {
  return Number(attributes.ApproximateReceiveCount);
}
