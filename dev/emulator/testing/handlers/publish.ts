import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { note } from './received.ts';

/** Sends each record's key to the push queue, in order, until one is called `poison`: that and the rest failed. */
export async function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  note('publish', event);
  const sqs = new SQSClient({});
  const sequenceNumber = (record?: DynamoDBStreamEvent['Records'][number]) => record?.dynamodb?.SequenceNumber ?? '';
  for (const record of event.Records) {
    const key = record.dynamodb?.Keys?.['sk']?.S ?? '';
    if (key === 'poison') return { batchItemFailures: [{ itemIdentifier: sequenceNumber(record) }] };
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: process.env['PUSH_QUEUE_URL'],
        MessageBody: JSON.stringify({ key }),
        MessageGroupId: record.dynamodb?.Keys?.['pk']?.S ?? '',
        MessageDeduplicationId: sequenceNumber(record),
      }),
    );
  }
  sqs.destroy();
  return { batchItemFailures: [] };
}
