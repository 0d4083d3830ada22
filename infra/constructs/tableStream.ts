import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, type StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
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

/** Calls a function with the records of a table's stream, in order. The function must be allowed to send to the queue. */
export function followTable(follower: ServiceFunction, table: ITableV2, props: TableStreamProps): void {
  const { filters, deadLetters, ...settings } = props;
  // CDK grants it on the stream only, where it has no effect: https://github.com/aws/aws-cdk/pull/34575.
  follower.allow(['dynamodb:ListStreams'], ['*']);
  acknowledgeAll(follower.role, 'The poller needs dynamodb:ListStreams, for which DynamoDB has no narrower resource.');
  follower.handler.addEventSource(
    new DynamoEventSource(table, {
      ...settings,
      parallelizationFactor: 1,
      filters: filters.map((filter) => FilterCriteria.filter(filter)),
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      // Only age ends retries.
      retryAttempts: -1,
      onFailure: { bind: () => ({ destination: deadLetters.queueArn }) },
    }),
  );
}
