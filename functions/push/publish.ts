import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type Change, changeFromImage, type StreamAttribute } from '../../shared/store/change.ts';
import { SHARDS } from '../../shared/store/connections.ts';
import { requireEnv } from '../environment.ts';
import { log } from '../log.ts';
import { type BatchResult, deduplicationIdOf, groupOf, type PushWork } from './work.ts';

/** What of DynamoDB's stream records is used. */
export interface StreamEvent {
  readonly Records: readonly {
    readonly dynamodb?: {
      readonly NewImage?: Readonly<Record<string, StreamAttribute>>;
      readonly SequenceNumber?: string;
    };
  }[];
}

/** The queue to publish to. */
export interface PushQueue {
  /** Sends up to {@link ENTRIES_PER_BATCH} messages in order. @throws when any of them was not taken */
  send(work: readonly PushWork[]): Promise<void>;
}

/** SQS's limits of one batch; the bytes leave room for the messages' attributes. */
const ENTRIES_PER_BATCH = 10;
const BYTES_PER_BATCH = 900 * 1024;

/**
 * Makes the handler of the flags table's stream: each written flag or segment becomes one message for every shard of
 * its environment's connections. Within a batch the messages go in the order of the changes' versions; what fails is
 * reported from the first failed record on, and Lambda hands it in again.
 */
export function createPublish(queue: PushQueue) {
  return async (event: StreamEvent): Promise<BatchResult> => {
    const changes = event.Records.flatMap(({ dynamodb }) => {
      const change = dynamodb?.NewImage && changeFromImage(dynamodb.NewImage);
      return change ? [{ change, sequenceNumber: dynamodb?.SequenceNumber ?? '' }] : [];
    });
    const inOrder = changes.toSorted((a, b) => a.change.updatedAt - b.change.updatedAt);
    try {
      const work = inOrder.flatMap(({ change }) => workFor(change));
      for (const batch of batchesOf(work)) await queue.send(batch);
      return { batchItemFailures: [] };
    } catch (error) {
      log.error('publishing failed; Lambda will retry', error as Error);
      return {
        batchItemFailures: changes.slice(0, 1).map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })),
      };
    }
  };
}

function workFor(change: Change): PushWork[] {
  return Array.from({ length: SHARDS }, (_, shard) => ({ shard, change }));
}

function batchesOf(work: readonly PushWork[]): PushWork[][] {
  const batches: PushWork[][] = [];
  let bytes = 0;
  for (const item of work) {
    const size = Buffer.byteLength(JSON.stringify(item));
    const current = batches.at(-1);
    if (!current || current.length === ENTRIES_PER_BATCH || bytes + size > BYTES_PER_BATCH) {
      batches.push([item]);
      bytes = size;
    } else {
      current.push(item);
      bytes += size;
    }
  }
  return batches;
}

/** The push queue that the stack names. */
function createQueue(): PushQueue {
  const client = new SQSClient({ useQueueUrlAsEndpoint: false });
  return {
    async send(work) {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: requireEnv('PUSH_QUEUE_URL'),
          Entries: work.map((item, index) => ({
            Id: String(index),
            MessageBody: JSON.stringify(item),
            MessageGroupId: groupOf(item),
            MessageDeduplicationId: deduplicationIdOf(item),
          })),
        }),
      );
      if (Failed.length > 0) throw new Error(`the queue did not take ${Failed.length} messages: ${Failed[0]?.Message}`);
    },
  };
}

export const handler = createPublish(createQueue());
