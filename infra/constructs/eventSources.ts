import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type EventSourceMappingOptions, FilterCriteria, type StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration, Names } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { acknowledge, acknowledgeAll } from './acknowledge.ts';
import type { ServiceFunction } from './serviceFunction.ts';

/** Settings of each queue. */
export const ENCRYPTED = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

/** Settings of each dead-letter queue. */
export const DEAD_LETTERS = { ...ENCRYPTED, retentionPeriod: Duration.days(14) };

/** Adds a queue for the changes that a function of a stream could not process. */
export function addDeadLetters(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, DEAD_LETTERS);
  const why = 'It is a dead-letter queue: of a function, which names it as the destination of failures.';
  acknowledge(queue, 'AwsSolutions-SQS3', why);
  return queue;
}

/** Settings of a stream's function. */
interface TableStreamProps {
  readonly startingPosition: StartingPosition;
  readonly batchSize: number;
  /** Patterns of records. One of them must match. */
  readonly filters: readonly Record<string, unknown>[];
  /** Time after which a failed record goes to the queue. Until then it is retried. */
  readonly maxRecordAge: Duration;
  readonly deadLetters: Queue;
}

// Lambda needs these permissions, which CDK's event sources exceed:
// https://docs.aws.amazon.com/lambda/latest/dg/lambda-intro-execution-role.html
const POLL_STREAM = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];
const POLL_QUEUE = ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];

/**
 * Calls a function with the records of a table's stream, in order. The function must be allowed to send to the queue. DynamoDB recommends at
 * most two readers for each shard, and the flags table has two: publish and announce.
 */
export function followTable(follower: ServiceFunction, table: ITableV2, props: TableStreamProps): void {
  const { filters, deadLetters, ...settings } = props;
  const { tableStreamArn: eventSourceArn } = table;
  if (eventSourceArn === undefined) throw new Error(`${table.node.path} has no stream`);
  follower.allow(POLL_STREAM, [eventSourceArn]);
  follower.allow(['dynamodb:ListStreams'], ['*']);
  acknowledgeAll(follower.role, 'The poller needs dynamodb:ListStreams, for which DynamoDB has no narrower resource.');
  follower.handler.addEventSourceMapping(`DynamoDBEventSource:${Names.nodeUniqueId(table.node)}`, {
    eventSourceArn,
    ...settings,
    parallelizationFactor: 1,
    filters: filters.map((filter) => FilterCriteria.filter(filter)),
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    // Only age ends retries.
    retryAttempts: -1,
    onFailure: { bind: () => ({ destination: deadLetters.queueArn }) },
  });
}

/** Calls a function with the messages of a queue. */
export function followQueue(
  follower: ServiceFunction,
  { node, queueArn: eventSourceArn }: IQueue,
  settings: Pick<EventSourceMappingOptions, 'batchSize' | 'maxConcurrency' | 'reportBatchItemFailures'>,
): void {
  follower.allow(POLL_QUEUE, [eventSourceArn]);
  follower.handler.addEventSourceMapping(`SqsEventSource:${Names.nodeUniqueId(node)}`, { eventSourceArn, ...settings });
}
