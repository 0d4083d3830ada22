import type { BatchResult, Invocation } from '../invocation.ts';
import { log } from '../telemetry/log.ts';
import { type CallTime, callTime } from './callTime.ts';
import type { PushMessage } from './pushMessage.ts';
import type { RetryQueue } from './queue.ts';
import { type ShardDeps, serveShard } from './serveShard.ts';

/** A message from SQS. */
interface QueueRecord {
  readonly messageId: string;
  readonly body: string;
  readonly receiptHandle: string;
  readonly attributes: {
    readonly ApproximateReceiveCount: string;
    /** Unix milliseconds. */
    readonly SentTimestamp: string;
    readonly MessageGroupId: string;
  };
}

/** Dependencies of a delivery. */
interface DeliverDeps extends ShardDeps {
  readonly queue: RetryQueue;
}

/** API Gateway closes a connection after two hours, so every open connection was answered after an older change. */
const OLDEST_MS = 2 * 3_600_000;

/** The longest pause before a failed message is retried, in seconds. The first is one second; each next one is twice as long. */
const LONGEST_PAUSE_SECONDS = 30;

/**
 * Creates the handler of the push queue. It sends changes to the connections of a shard, in order, one item a message. The stack
 * calls it with one queue message, so that shards are served in parallel, each with the time of a whole call. Several messages
 * are handled in sequence.
 *
 * If time ends, the message becomes visible again at once, and the next call continues. If it fails, it becomes visible after a
 * pause. SQS counts both as receives, so the receive count does not show permanent failures. Age does: a message that is older
 * than any connection is moved to the queue of undelivered messages. An unreadable message is moved at once.
 */
export function createDeliver(deps: DeliverDeps) {
  return async (event: { readonly Records: readonly QueueRecord[] }, invocation: Invocation): Promise<BatchResult> => {
    const time = callTime(deps.now, invocation.getRemainingTimeInMillis());
    const waiting = [...event.Records];
    for (let record = waiting[0]; record; record = waiting[0]) {
      const pause = await handle(deps, record, time);
      if (pause !== undefined) {
        // Later messages of its group wait.
        await Promise.all(waiting.map((each) => retryLater(deps.queue, each, pause)));
        break;
      }
      waiting.shift();
    }
    return { batchItemFailures: waiting.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

/** @returns seconds until the message becomes visible again; undefined if it is done */
async function handle(deps: DeliverDeps, record: QueueRecord, time: CallTime): Promise<number | undefined> {
  const { messageId, body, attributes } = record;
  const timesReceived = Number(attributes.ApproximateReceiveCount);
  try {
    const push = readMessage(body);
    const isTooOld = deps.now() - Number(attributes.SentTimestamp) > OLDEST_MS;
    if (push && !isTooOld) {
      return (await serveShard(deps, { push, isRetry: timesReceived > 1 }, time)) ? undefined : 0;
    }
    const reason = push ? 'not delivered within two hours' : 'cannot be read';
    log.error('message of the push queue set aside', { reason, messageId, timesReceived });
    await deps.queue.sendToDeadLetterQueue({ messageId, body, groupId: attributes.MessageGroupId });
    return undefined;
  } catch (error) {
    log.error('push failed and will be retried', { error: error as Error, group: attributes.MessageGroupId });
    return Math.min(2 ** (timesReceived - 1), LONGEST_PAUSE_SECONDS);
  }
}

function readMessage(body: string): PushMessage | undefined {
  try {
    const push = JSON.parse(body) as PushMessage;
    return push.changes.length > 0 ? push : undefined;
  } catch {
    return undefined;
  }
}

/** If this fails, the message becomes visible again when its visibility timeout ends. */
async function retryLater(queue: RetryQueue, { receiptHandle }: QueueRecord, afterSeconds: number): Promise<void> {
  try {
    await queue.changeVisibility(receiptHandle, afterSeconds);
  } catch (error) {
    log.warn('retry is late: the visibility of a message could not be changed', { error: error as Error });
  }
}
