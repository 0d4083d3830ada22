import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { postRates } from '../../config/postRates.ts';
import { acknowledge } from '../acknowledge.ts';
import { ENVIRONMENT_ITEMS, itemsUnder } from '../itemsUnder.ts';
import { ServiceFunction } from '../serviceFunction.ts';
import type { StreamingApi } from '../streaming/streamingApi.ts';
import { Revocations } from './revocations.ts';

/** Time of a call that brings a change to a shard's connections; where it does not suffice another goes on. */
const deliverTimeoutSeconds = 30;

/** Memory that comes with one whole processor, in MB: a function that computes costs the same with less, and takes longer. */
const wholeProcessorMb = 1_769;

/**
 * The most that SQS offers: what is throttled or handed on for want of time counts as received as well. Deliver itself sets
 * aside what is older than two hours, within which there is no time for as many.
 */
const mostReceives = 1_000;

/** API Gateway ends every connection after two hours: a client that missed an older change has synchronised since. */
const longestConnection = Duration.hours(2);

/** What the pipeline connects: the tables, and the API whose connections get the pushes. */
interface PushPipelineProps {
  readonly config: Config;
  readonly flags: ITableV2;
  readonly connections: ITableV2;
  readonly streaming: StreamingApi;
}

/**
 * From a change in the flags table to the connections that must hear of it:
 * table stream → Publish → FIFO queue (message groups for each environment and its shards) → Deliver → `@connections`.
 * Ends of secrets take the same stream, and a queue of their own.
 *
 * Order holds all the way: one stream record after another within a partition key, one message after another within a
 * group. What cannot be processed is set aside in a dead-letter queue for 14 days rather than dropped.
 */
export class PushPipeline extends Construct {
  readonly publish: ServiceFunction;
  readonly deliver: ServiceFunction;
  readonly revocations: Revocations;
  readonly queue: Queue;
  /** What could not be published or delivered, for an operator to look at. */
  readonly deadLetters: Readonly<Record<'unpublished' | 'undelivered', Queue>>;

  constructor(scope: Construct, id: string, { config, flags, connections, streaming }: PushPipelineProps) {
    super(scope, id);
    const encrypted = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    const deadLetters = { ...encrypted, retentionPeriod: Duration.days(14) };
    const unpublished = new Queue(this, 'Unpublished', deadLetters);
    const undelivered = new Queue(this, 'Undelivered', { ...deadLetters, fifo: true });
    const queue = new Queue(this, 'Queue', {
      ...encrypted,
      fifo: true,
      deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
      fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      // Six times the function's timeout, as Lambda advises for queues that feed functions.
      visibilityTimeout: Duration.seconds(6 * deliverTimeoutSeconds),
      deadLetterQueue: { queue: undelivered, maxReceiveCount: mostReceives },
    });

    acknowledge(
      unpublished,
      'AwsSolutions-SQS3',
      'It is a dead-letter queue: of a function, which names it as the destination of failures.',
    );
    this.queue = queue;
    this.deadLetters = { unpublished, undelivered };
    const revocations = new Revocations(this, 'Revocations', {
      config,
      connections,
      streaming,
      deadLetters: unpublished,
    });
    this.revocations = revocations;

    const publish = new ServiceFunction(this, 'Publish', {
      config,
      entry: 'functions/lambda/publish.ts',
      environment: {
        FLAGS_TABLE: flags.tableName,
        CONNECTIONS_TABLE: connections.tableName,
        // Of a group one message is delivered at a time, so no environment, however large, takes up all deliveries.
        GROUPS_PER_ENVIRONMENT: String(config.deliverConcurrency - 1),
        PUSH_QUEUE_URL: queue.queueUrl,
        REVOCATION_QUEUE_URL: revocations.queue.queueUrl,
      },
      timeoutSeconds: 30,
      // Each change waits for it, and its sixteen reads at once take some milliseconds of a processor.
      memoryMb: wholeProcessorMb,
    });
    publish.allow(['dynamodb:Query'], [connections.tableArn], itemsUnder('CONN#*'));
    publish.allow(['dynamodb:GetItem', 'dynamodb:Query'], [flags.tableArn], itemsUnder(...ENVIRONMENT_ITEMS));
    publish.allow(['dynamodb:PutItem', 'dynamodb:DeleteItem'], [flags.tableArn], itemsUnder('SNAPSHOT#*'));
    publish.allow(['sqs:SendMessage'], [queue.queueArn, revocations.queue.queueArn, unpublished.queueArn]);
    // CDK grants it on the stream alone, where it allows nothing: https://github.com/aws/aws-cdk/pull/34575.
    publish.allow(['dynamodb:ListStreams'], ['*']);
    acknowledge(
      publish.role,
      'AwsSolutions-IAM5[Resource::*]',
      'The poller needs dynamodb:ListStreams, for which DynamoDB has no narrower resource.',
    );
    this.publish = publish;
    publish.handler.addEventSource(
      // The cast: CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
      new DynamoEventSource(flags, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 100,
        parallelizationFactor: 1,
        filters: [
          // By `dynamodb` alone, which filters are documented for; a removal has no new image. Snapshots have no kind.
          FilterCriteria.filter({ dynamodb: { NewImage: { kind: { S: FilterRule.or('flag', 'segment') } } } }),
          FilterCriteria.filter({
            dynamodb: {
              NewImage: {
                pk: { S: [...FilterRule.beginsWith('SECRET#'), 'RELAYS'] },
                revokedAt: { S: FilterRule.exists() },
              },
            },
          }),
          // Entries of a journal that expired, which a snapshot may need: as AWS's page "DynamoDB Streams and Time to Live" has it.
          FilterCriteria.filter({
            userIdentity: { type: ['Service'], principalId: ['dynamodb.amazonaws.com'] },
            dynamodb: { Keys: { pk: { S: FilterRule.beginsWith('JOURNAL#') } } },
          }),
        ],
        bisectBatchOnError: true,
        reportBatchItemFailures: true,
        // No count but age ends retries: what can be read and not sent is worth trying for as long as anybody lacks it.
        retryAttempts: -1,
        maxRecordAge: longestConnection,
        onFailure: { bind: () => ({ destination: unpublished.queueArn }) },
      }),
    );

    const deliver = new ServiceFunction(this, 'Deliver', {
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
    deliver.allow(['dynamodb:GetItem', 'dynamodb:Query'], [flags.tableArn], itemsUnder(...ENVIRONMENT_ITEMS));
    deliver.allow(
      ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
      [connections.tableArn],
    );
    deliver.allow(['sqs:SendMessage'], [undelivered.queueArn]);
    streaming.allowPosting(deliver);
    this.deliver = deliver;
    deliver.handler.addEventSource(
      new SqsEventSource(queue, {
        // A batch may mix shards: one call would serve ten, and the others have nothing to do.
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: config.deliverConcurrency,
      }),
    );
  }
}
