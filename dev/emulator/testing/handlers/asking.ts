import { ApiGatewayManagementApiClient, PostToConnectionCommand } from '@aws-sdk/client-apigatewaymanagementapi';
import { DynamoDBClient, GetItemCommand, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { FirehoseClient, PutRecordCommand } from '@aws-sdk/client-firehose';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { held } from '../held.ts';
import { note } from './received.ts';

const [dynamoDb, sqs, firehose] = [new DynamoDBClient({}), new SQSClient({}), new FirehoseClient({})];
const connections = new ApiGatewayManagementApiClient({ endpoint: process.env['CONNECTIONS_ENDPOINT'] ?? '' });

const Data = Buffer.from('x');
const TableName = process.env['FLAGS_TABLE'];
const keyOf = (pk: string) => ({ pk: { S: pk }, sk: { S: '-' } });

/** One call of each service, about what the path ends with. */
const ASK: Readonly<Record<string, (about: string) => Promise<unknown>>> = {
  get: (pk) => dynamoDb.send(new GetItemCommand({ TableName, Key: keyOf(pk) })),
  put: (pk) => dynamoDb.send(new PutItemCommand({ TableName, Item: keyOf(pk) })),
  transact: (pk) =>
    dynamoDb.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: keyOf(pk) } }] })),
  send: () => sqs.send(new SendMessageCommand({ QueueUrl: process.env['QUEUE_URL'], MessageBody: 'x' })),
  record: (DeliveryStreamName) => firehose.send(new PutRecordCommand({ DeliveryStreamName, Record: { Data } })),
  post: (ConnectionId) => connections.send(new PostToConnectionCommand({ ConnectionId, Data })),
};

/**
 * Asks AWS for what the path says, `/get/<key>`, and answers with what AWS said. `/late/<key>` is held up, and then puts; an error
 * of that is noted.
 */
export async function handler({ rawPath }: { rawPath: string }): Promise<unknown> {
  const [, what = '', about = ''] = rawPath.split('/');
  if (what === 'late') await held();
  if (what === 'variable') return { [about]: process.env[about] ?? null };
  try {
    await ASK[what === 'late' ? 'put' : what]?.(about);
    return { error: null };
  } catch (thrown) {
    if (what === 'late') note('late', thrown);
    const { name, message, $metadata } = thrown as Error & { $metadata?: { httpStatusCode?: number } };
    return { error: name, message, status: $metadata?.httpStatusCode };
  }
}
