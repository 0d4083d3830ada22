import { inBatches } from '../../shared/store/batches.ts';
import { type Change, changeFromImage, type StreamAttribute } from '../../shared/store/change.ts';
import { SHARDS } from '../../shared/store/connections.ts';
import { log } from '../log.ts';
import { createPushQueue, type PushQueue } from './queue.ts';
import type { BatchResult, PushWork } from './work.ts';

/** What of DynamoDB's stream records is used. */
export interface StreamEvent {
  readonly Records: readonly {
    readonly dynamodb?: {
      readonly NewImage?: Readonly<Record<string, StreamAttribute>>;
      readonly SequenceNumber?: string;
    };
  }[];
}

/** SQS's limits of one batch; the bytes leave room for the messages' attributes. */
const BATCH = { count: 10, bytes: 900 * 1024 };

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
      for (const batch of inBatches(work, BATCH, sizeOf)) await queue.send(batch);
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

function sizeOf(work: PushWork): number {
  return Buffer.byteLength(JSON.stringify(work));
}

export const handler = createPublish(createPushQueue());
