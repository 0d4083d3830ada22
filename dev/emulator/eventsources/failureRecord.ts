import { randomUUID } from 'node:crypto';
import { arn } from '../template/account.ts';
import type { StreamMapping } from './definition.ts';
import { createdAt, type StreamRecord, sequenceNumberOf } from './streamRecord.ts';

/** Why records were given up. */
export type GiveUpReason = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

/** The message to a stream mapping's failure destination. It has the position of the records. */
export function failureRecord(
  mapping: StreamMapping,
  records: readonly StreamRecord[],
  about: { condition: GiveUpReason; attempts: number; now: number },
): string {
  const { functionName } = mapping;
  const [first, last] = [records[0], records.at(-1)];
  const iso = (record?: StreamRecord) => new Date(record ? createdAt(record) : about.now).toISOString();
  return JSON.stringify({
    requestContext: {
      requestId: randomUUID(),
      functionArn: functionName.startsWith('arn:') ? functionName : arn('lambda', `function:${functionName}`),
      condition: about.condition,
      approximateInvokeCount: about.attempts,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: new Date(about.now).toISOString(),
    DDBStreamBatchInfo: {
      shardId: 'shardId-00000000000000000000-00000000',
      startSequenceNumber: first && sequenceNumberOf(first),
      endSequenceNumber: last && sequenceNumberOf(last),
      approximateArrivalOfFirstRecord: iso(first),
      approximateArrivalOfLastRecord: iso(last),
      batchSize: records.length,
      streamArn: mapping.streamArn,
    },
  });
}
