import { FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DeduplicationScope, FifoThroughputLimit, Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { postRates } from '../../config/postRates.ts';
import { addDeadLetters, DEAD_LETTERS, ENCRYPTED, followQueue, followTable } from '../eventSources.ts';
import { ENVIRONMENT_ITEMS, READING } from '../onItems.ts';
import { type ServedTables, ServiceFunction } from '../serviceFunction.ts';
import type { StreamingApi } from '../streaming/streamingApi.ts';
import { addRevocations } from './revocations.ts';

/** Time of a call that sends a change to a shard's connections. If it is too short, another call continues. */
const deliverTimeoutSeconds = 30;

/** Memory that comes with one whole vCPU, in MB. With less, a CPU-bound function costs the same and takes longer. */
const wholeProcessorMb = 1_769;

/**
 * The maximum of SQS. Throttled messages, and those that another call continues, also count as received. Deliver itself sets aside messages
 * older than two hours, a time in which this maximum is not reached.
 */
const mostReceives = 1_000;

/** API Gateway ends every connection after two hours, so a client that missed an older change has synchronised since. */
const longestConnection = Duration.hours(2);

/** The resources for pushes: the tables, and the API of the connections. */
export interface PushProps extends ServedTables {
  readonly streaming: StreamingApi;
}

/** See {@link addPushPipeline}. */
export type PushPipeline = ReturnType<typeof addPushPipeline>;

/**
 * Adds the way from a change in the flags table to its connections: table stream → Publish → FIFO queue (message groups for each environment
 * and its shards) → Deliver → `@connections`. Revocations of secrets use the same stream, and a queue of their own.
 *
 * The order is kept: stream records in order within a partition key, messages in order within a group. What cannot be processed goes to a
 * dead-letter queue for 14 days.
 */
export function addPushPipeline(parent: Construct, { config, flags, connections, streaming }: PushProps) {
  const scope = new Construct(parent, 'Push');
  const unpublished = addDeadLetters(scope, 'Unpublished');
  const undelivered = new Queue(scope, 'Undelivered', { ...DEAD_LETTERS, fifo: true });
  const queue = new Queue(scope, 'Queue', {
    ...ENCRYPTED,
    fifo: true,
    deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
    fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
    // Six times the function's timeout, as Lambda recommends for queues.
    visibilityTimeout: Duration.seconds(6 * deliverTimeoutSeconds),
    deadLetterQueue: { queue: undelivered, maxReceiveCount: mostReceives },
  });

  const revocations = addRevocations(scope, { config, connections }, streaming, unpublished);

  const publish = new ServiceFunction(scope, 'Publish', {
    config,
    entry: 'functions/lambda/publish.ts',
    environment: {
      FLAGS_TABLE: flags.tableName,
      CONNECTIONS_TABLE: connections.tableName,
      // Messages of a group are delivered one at a time, so that no environment uses all deliveries.
      GROUPS_PER_ENVIRONMENT: String(config.deliverConcurrency - 1),
      PUSH_QUEUE_URL: queue.queueUrl,
      REVOCATION_QUEUE_URL: revocations.queue.queueUrl,
    },
    timeoutSeconds: 30,
    // Each change waits for it, and its sixteen concurrent reads take some milliseconds of a vCPU.
    memoryMb: wholeProcessorMb,
  });
  publish.allowItems(['dynamodb:Query'], connections, 'CONN#*');
  publish.allowItems(READING, flags, ...ENVIRONMENT_ITEMS);
  publish.allowItems(['dynamodb:PutItem', 'dynamodb:DeleteItem'], flags, 'SNAPSHOT#*');
  publish.allow(['sqs:SendMessage'], [queue.queueArn, revocations.queue.queueArn, unpublished.queueArn]);
  followTable(publish, flags, {
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    filters: [
      // By `dynamodb` only, which filters are documented for. A deleted item has no new image. Snapshots have no kind.
      { dynamodb: { NewImage: { kind: { S: FilterRule.or('flag', 'segment') } } } },
      {
        dynamodb: {
          NewImage: {
            pk: { S: [...FilterRule.beginsWith('SECRET#'), 'RELAYS'] },
            revokedAt: { S: FilterRule.exists() },
          },
        },
      },
      // Expired entries of a journal, which a snapshot may need. See AWS's page "DynamoDB Streams and Time to Live".
      {
        userIdentity: { type: ['Service'], principalId: ['dynamodb.amazonaws.com'] },
        dynamodb: { Keys: { pk: { S: FilterRule.beginsWith('JOURNAL#') } } },
      },
    ],
    // A readable change is retried for as long as a connection may lack it.
    maxRecordAge: longestConnection,
    deadLetters: unpublished,
  });

  const deliver = new ServiceFunction(scope, 'Deliver', {
    config,
    entry: 'functions/lambda/deliver.ts',
    environment: {
      FLAGS_TABLE: flags.tableName,
      CONNECTIONS_TABLE: connections.tableName,
      CONNECTIONS_ENDPOINT: streaming.connectionsEndpoint,
      PUSH_QUEUE_URL: queue.queueUrl,
      UNDELIVERED_QUEUE_URL: undelivered.queueUrl,
      POSTS_PER_SECOND: String(postRates(config).deliver),
      MISSING_ATTRIBUTE: config.missingAttribute,
    },
    timeoutSeconds: deliverTimeoutSeconds,
    memoryMb: wholeProcessorMb,
  });
  deliver.allowItems(READING, flags, ...ENVIRONMENT_ITEMS);
  deliver.allowItems(
    ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
    connections,
    'CONN#*',
  );
  deliver.allowItems(['dynamodb:PutItem'], connections, 'UNANSWERED#*');
  deliver.allow(['sqs:SendMessage'], [undelivered.queueArn]);
  // It sets the pause before the next attempt.
  deliver.allow(['sqs:ChangeMessageVisibility'], [queue.queueArn]);
  streaming.allowPosting(deliver);
  followQueue(deliver, queue, {
    // A batch may mix shards: one call would serve ten, and the others would be idle.
    batchSize: 1,
    reportBatchItemFailures: true,
    maxConcurrency: config.deliverConcurrency,
  });
  return { publish, deliver, revocations, queue, deadLetters: { unpublished, undelivered } };
}
