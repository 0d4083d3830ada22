import { describe, expect, test } from '@jest/globals';
import { functionWithEntry, type Properties, resourcesOf, templateOf, textOf } from '../../stacks/testing/templates.ts';

const template = templateOf('Serverless');

describe('the table stream', () => {
  const mapping = mappingOf('functions/lambda/publish.ts');

  test('feeds Publish from the oldest record on, one batch of a shard after another', () => {
    expect(textOf(mapping['EventSourceArn'])).toBe('{Flags.StreamArn}');
    expect(mapping).toMatchObject({ StartingPosition: 'TRIM_HORIZON', BatchSize: 100, ParallelizationFactor: 1 });
  });

  test('lets through new and changed flags and segments, ends of secrets, and what expires of the journal, only', () => {
    const { Filters } = mapping['FilterCriteria'] as { Filters: { Pattern: string }[] };
    expect(Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
      { dynamodb: { NewImage: { kind: { S: ['flag', 'segment'] } } } },
      {
        dynamodb: { NewImage: { pk: { S: [{ prefix: 'SECRET#' }, 'RELAYS'] }, revokedAt: { S: [{ exists: true }] } } },
      },
      {
        userIdentity: { type: ['Service'], principalId: ['dynamodb.amazonaws.com'] },
        dynamodb: { Keys: { pk: { S: [{ prefix: 'JOURNAL#' }] } } },
      },
    ]);
  });

  test('tries a batch again for as long as a connection can last, halved, and then sets it aside', () => {
    expect(mapping).toMatchObject({
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: -1,
      MaximumRecordAgeInSeconds: 7200,
    });
    const { OnFailure } = mapping['DestinationConfig'] as { OnFailure: { Destination: unknown } };
    expect(textOf(OnFailure.Destination)).toBe('{PushUnpublished.Arn}');
  });
});

describe('the queue', () => {
  const queue = queueNamed('PushQueue');

  test('is first in, first out, with high throughput per message group', () => {
    expect(queue).toMatchObject({
      FifoQueue: true,
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    });
    expect(queue).not.toHaveProperty('ContentBasedDeduplication');
  });

  test('hides a message for six times as long as Deliver may take', () => {
    const deliver = functionWithEntry(template, 'functions/lambda/deliver.ts').properties;
    expect(queue['VisibilityTimeout']).toBe(6 * Number(deliver['Timeout']));
  });

  test('sets a message aside after as many receives as SQS counts, in a FIFO queue', () => {
    const { deadLetterTargetArn, maxReceiveCount } = queue['RedrivePolicy'] as Record<string, unknown>;
    expect(maxReceiveCount).toBe(1_000);
    expect(textOf(deadLetterTargetArn)).toBe('{PushUndelivered.Arn}');
    expect(queueNamed('PushUndelivered')).toMatchObject({ FifoQueue: true, MessageRetentionPeriod: 14 * 24 * 3600 });
  });

  test('feeds Deliver one message at a time, so that shards are served side by side, each with its share of the posts', () => {
    const mapping = mappingOf('functions/lambda/deliver.ts');
    expect(textOf(mapping['EventSourceArn'])).toBe('{PushQueue.Arn}');
    expect(mapping).toMatchObject({
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 4 },
    });
    const { Timeout, MemorySize, Environment } = functionWithEntry(template, 'functions/lambda/deliver.ts').properties;
    expect([Timeout, MemorySize]).toEqual([30, 1_769]);
    expect(Environment).toMatchObject({ Variables: { POSTS_PER_SECOND: '1000' } });
  });

  test('gives an environment one message group less than there are deliveries at once, so that others have room', () => {
    const { Environment } = functionWithEntry(template, 'functions/lambda/publish.ts').properties;
    expect(Environment).toMatchObject({ Variables: { GROUPS_PER_ENVIRONMENT: '3' } });
  });
});

describe('the queue of revocations', () => {
  const queue = queueNamed('PushRevocationsQueue');
  const revoke = functionWithEntry(template, 'functions/lambda/revoke.ts').properties;

  test('feeds Revoke one at a time, hidden for six times as long as that may take', () => {
    expect(queue['VisibilityTimeout']).toBe(6 * Number(revoke['Timeout']));
    expect(mappingOf('functions/lambda/revoke.ts')).toMatchObject({
      BatchSize: 1,
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });

  test('sets a message aside after ten receives', () => {
    const { deadLetterTargetArn, maxReceiveCount } = queue['RedrivePolicy'] as Record<string, unknown>;
    expect([textOf(deadLetterTargetArn), maxReceiveCount]).toEqual(['{PushUnpublished.Arn}', 10]);
  });
});

test('every queue is encrypted and refuses plain HTTP', () => {
  const queues = resourcesOf(template, 'AWS::SQS::Queue');
  expect(queues.map(({ id }) => textOf({ Ref: id })).sort()).toEqual([
    '{PushQueue}',
    '{PushRevocationsQueue}',
    '{PushUndelivered}',
    '{PushUnpublished}',
  ]);
  const policies = resourcesOf(template, 'AWS::SQS::QueuePolicy').map(({ properties }) => properties);
  for (const { id, properties } of queues) {
    expect(properties['SqsManagedSseEnabled']).toBe(true);
    expect(policies).toContainEqual(
      expect.objectContaining({
        Queues: [{ Ref: id }],
        PolicyDocument: expect.objectContaining({
          Statement: [
            expect.objectContaining({
              Effect: 'Deny',
              Action: 'sqs:*',
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            }),
          ],
        }),
      }),
    );
  }
});

function mappingOf(entry: string): Properties {
  const { id } = functionWithEntry(template, entry);
  const mappings = resourcesOf(template, 'AWS::Lambda::EventSourceMapping')
    .map(({ properties }) => properties)
    .filter(({ FunctionName }) => (FunctionName as { Ref: string }).Ref === id);
  expect(mappings).toHaveLength(1);
  return mappings[0] ?? {};
}

function queueNamed(name: string): Properties {
  const found = resourcesOf(template, 'AWS::SQS::Queue').find(({ id }) => textOf({ Ref: id }) === `{${name}}`);
  return found?.properties ?? {};
}
