import { log } from '../telemetry/log.ts';
import { type CallTime, callTime } from './callTime.ts';
import type { BatchResult, PushMessage } from './pushMessage.ts';
import type { RetryQueue } from './queue.ts';
import { type ShardDeps, serveShard } from './serveShard.ts';

/** The part of SQS's event that is used. */
interface QueueEvent {
  readonly Records: readonly QueueRecord[];
}

/** One message, as SQS hands it in. */
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

/** The part of Lambda's context that is used. */
export interface Invocation {
  getRemainingTimeInMillis(): number;
}

/** What a delivery needs. */
interface DeliverDeps extends ShardDeps {
  readonly queue: RetryQueue;
}

/** API Gateway ends a connection after two hours: all that are open now were answered with an older change. */
const OLDEST_MS = 2 * 3_600_000;

/** The longest pause before a message that failed is retried, in seconds. The first is one second; each is twice the last. */
const LONGEST_PAUSE_SECONDS = 30;

/**
 * Makes the handler of the push queue: sends changes to the connections of their shard, one item a message, in order. The
 * stack has it called with one message at a time, so that shards are served side by side, each with a whole call's time;
 * of several, one is served after another.
 *
 * What there was no time for is handed in again at once and goes on from where it was; what failed, after a pause. Both
 * count as received, so no count tells what will never succeed. Age does: a message that is older than any connection is
 * set aside, and one that cannot be read at once.
 */
export function createDeliver(deps: DeliverDeps) {
  return async (event: QueueEvent, invocation: Invocation): Promise<BatchResult> => {
    const time = callTime(deps.now, invocation.getRemainingTimeInMillis());
    const waiting = [...event.Records];
    for (let record = waiting[0]; record; record = waiting[0]) {
      const pause = await handle(deps, record, time);
      if (pause !== undefined) {
        // Nothing overtakes it.
        await Promise.all(waiting.map((each) => retryLater(deps.queue, each, pause)));
        break;
      }
      waiting.shift();
    }
    return { batchItemFailures: waiting.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

/** @returns seconds after which it is to be handed in again; undefined when it is done with */
async function handle(deps: DeliverDeps, record: QueueRecord, time: CallTime): Promise<number | undefined> {
  const { messageId, body, attributes } = record;
  const timesReceived = Number(attributes.ApproximateReceiveCount);
  try {
    const push = readMessage(body);
    const isTooOld = deps.now() - Number(attributes.SentTimestamp) > OLDEST_MS;
    if (push && !isTooOld) {
      return (await serveShard(deps, { push, isRetry: timesReceived > 1, time })) ? undefined : 0;
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

/** Where this fails, SQS hands the message in again when its visibility ends. */
async function retryLater(queue: RetryQueue, { receiptHandle }: QueueRecord, afterSeconds: number): Promise<void> {
  try {
    await queue.changeVisibility(receiptHandle, afterSeconds);
  } catch (error) {
    log.warn('retry is late: the visibility of a message could not be changed', { error: error as Error });
  }
}
