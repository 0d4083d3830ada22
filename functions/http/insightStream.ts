import { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { wellFormedJson } from '../../shared/flags/wellFormed.ts';
import { inBatches } from '../../shared/runtime/batches.ts';
import type { Effects } from '../../shared/runtime/effects.ts';
import { retryUntil } from '../../shared/runtime/retry.ts';
import { type InsightSink, InsightTooLarge } from './insight.ts';

/** Firehose's limits of one batch. In bytes it is 4 MB. */
const BATCH = { count: 500, bytes: 3_500_000 };
/** Firehose's limit of one record, 1,000 KiB. It refuses the whole batch if a record is larger. */
const RECORD = { count: Number.POSITIVE_INFINITY, bytes: 1_024_000 };
/** How long records that Firehose throttled are retried, for all batches of a request together, in milliseconds. */
const RETRY_DEADLINE_MS = 8_000;

/**
 * A sink that writes to a Firehose delivery stream. Each insight record is a line of JSON. The lines of a request share
 * one Firehose record, or several if they are large. Firehose bills each record as at least 5 KB.
 */
export function createInsightStream(DeliveryStreamName: string, effects: Effects): InsightSink {
  const client = new FirehoseClient({ maxAttempts: 4 });
  return {
    async write(records) {
      const lines = records.map((record) => Buffer.from(`${wellFormedJson(JSON.stringify(record))}\n`));
      const tooLarge = lines.find((line) => line.length > RECORD.bytes);
      if (tooLarge) {
        throw new InsightTooLarge(
          `a user's insights are ${tooLarge.length} bytes; the limit is ${RECORD.bytes}. Send them in several requests`,
        );
      }
      const whole = inBatches(lines, RECORD, ({ length }) => length).map((portion) => Buffer.concat(portion));
      const deadline = effects.now() + RETRY_DEADLINE_MS;
      for (const batch of inBatches(whole, BATCH, ({ length }) => length)) {
        let left = batch;
        await retryUntil(effects, deadline, async () => {
          const { RequestResponses = [] } = await client.send(
            new PutRecordBatchCommand({
              DeliveryStreamName,
              Records: left.map((Data) => ({ Data })),
            }),
          );
          left = left.filter((_, index) => RequestResponses[index]?.ErrorCode !== undefined);
          if (left.length > 0) throw new Error(`the delivery stream did not accept ${left.length} records`);
        });
      }
    },
  };
}
