import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENCRYPTED, followQueue } from '../eventSources.ts';
import { type ServedTables, ServiceFunction } from '../serviceFunction.ts';
import type { StreamingApi } from '../streaming/streamingApi.ts';

const timeoutSeconds = 60;

/**
 * Adds what closes the connections of revoked secrets: queue → Revoke → `DELETE @connections`. A revocation that is due later is stored in
 * the connections table. Heal sends it to the queue.
 *
 * @param deadLetters receives messages that failed ten times
 */
export function addRevocations(
  parent: Construct,
  { config, connections }: Omit<ServedTables, 'flags'>,
  streaming: StreamingApi,
  deadLetters: IQueue,
) {
  const scope = new Construct(parent, 'Revocations');
  const queue = new Queue(scope, 'Queue', {
    ...ENCRYPTED,
    // Six times the function's timeout, as Lambda recommends for queues.
    visibilityTimeout: Duration.seconds(6 * timeoutSeconds),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: 10 },
  });
  const revoke = new ServiceFunction(scope, 'Revoke', {
    config,
    entry: 'functions/lambda/revoke.ts',
    environment: {
      CONNECTIONS_TABLE: connections.tableName,
      CONNECTIONS_ENDPOINT: streaming.connectionsEndpoint,
    },
    timeoutSeconds,
    memoryMb: 256,
  });
  revoke.allowItems(['dynamodb:Query', 'dynamodb:DeleteItem'], connections, 'CONN#*');
  revoke.allowItems(['dynamodb:PutItem'], connections, 'REVOCATIONS');
  streaming.allowEnding(revoke);
  // One at a time: only the failed message is retried. Two is Lambda's minimum of concurrent calls for a queue.
  followQueue(revoke, queue, { batchSize: 1, maxConcurrency: 2 });
  return { queue, revoke };
}
