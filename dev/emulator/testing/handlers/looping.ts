import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { note } from './received.ts';

/** Notes each call, and sends a message to the queue that calls it. */
export async function handler(event: unknown): Promise<void> {
  note('looping', event);
  const sqs = new SQSClient({});
  await sqs.send(new SendMessageCommand({ QueueUrl: process.env['LOOP_QUEUE_URL'], MessageBody: 'again' }));
  sqs.destroy();
}
