import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { note } from './received.ts';

/** Notes each message's body, in order. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  for (const record of event.Records) note('deliver', record);
  return { batchItemFailures: [] };
}
