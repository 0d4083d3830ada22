import { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { inBatches } from '../../shared/store/batches.ts';
import { retryUntil } from '../../shared/store/retry.ts';
import { type InsightSink, InsightTooLarge } from './insight.ts';

/** Firehose's limits of one batch; in bytes it is 4 MB. */
const BATCH = { count: 500, bytes: 3_500_000 };
/** Firehose's limit of one record; it refuses the whole batch of a larger one. */
const RECORD_BYTES = 1_024_000;
/** How long records that Firehose throttled are sent again, for all batches of a request together. */
const PATIENCE_MS = 8_000;

/** A sink into a delivery stream of Firehose: one line of JSON a record. */
export function createInsightStream(DeliveryStreamName: string): InsightSink {
  const client = new FirehoseClient({ maxAttempts: 4 });
  return {
    async write(records) {
      const lines = records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`));
      const tooLarge = lines.find((line) => line.length > RECORD_BYTES);
      if (tooLarge) {
        throw new InsightTooLarge(
          `a user's insights are ${tooLarge.length} bytes; the limit is ${RECORD_BYTES}: send them in several requests`,
        );
      }
      const deadline = Date.now() + PATIENCE_MS;
      for (const batch of inBatches(lines, BATCH, (line) => line.length)) {
        let left = batch;
        await retryUntil(deadline, async () => {
          const { RequestResponses = [] } = await client.send(
            new PutRecordBatchCommand({
              DeliveryStreamName,
              Records: left.map((Data) => ({ Data })),
            }),
          );
          left = left.filter((_, index) => RequestResponses[index]?.ErrorCode !== undefined);
          if (left.length > 0) throw new Error(`the delivery stream did not take ${left.length} records`);
        });
      }
    },
  };
}
