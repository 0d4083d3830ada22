import { SQSClient } from '@aws-sdk/client-sqs';
import { requestHandler } from './fromEnv.ts';

/** A client of SQS. An endpoint from the environment takes precedence over the host in a queue's URL. */
export function sqsFromEnv(): SQSClient {
  return new SQSClient({ useQueueUrlAsEndpoint: false, requestHandler });
}
