import { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { inBatches } from '../../shared/store/batches.ts';
import { requireEnv } from '../environment.ts';
import { retryUntil } from '../retry.ts';
import type { InsightSink } from './insight.ts';

/** Firehose's limits of one batch, with room to spare in bytes. */
const BATCH = { count: 500, bytes: 3_500_000 };
/** How long records that Firehose was too busy for are offered again. */
const PATIENCE_MS = 8_000;

/** A sink into the delivery stream that the stack names: one line of JSON a record. */
export function createInsightStream(): InsightSink {
  const client = new FirehoseClient({ maxAttempts: 4 });
  return {
    async write(records) {
      const lines = records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`));
      for (const batch of inBatches(lines, BATCH, (line) => line.length)) {
        let left = batch;
        await retryUntil(Date.now() + PATIENCE_MS, async () => {
          const { RequestResponses = [] } = await client.send(
            new PutRecordBatchCommand({
              DeliveryStreamName: requireEnv('INSIGHT_STREAM'),
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
