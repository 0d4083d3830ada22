import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../config/config.ts';
import {
  functionWithEntry,
  onlyResourceOf,
  resourcesOf,
  templateOf,
  templateWith,
  textOf,
} from '../../stacks/testing/templates.ts';

const ARN = 'arn:aws:events:eu-west-1:123456789012:event-bus/flags';

describe('change events', () => {
  const template = templateOf('Data');
  const { properties: mapping } = onlyResourceOf(template, 'AWS::Lambda::EventSourceMapping');

  test('begin with new entries of the history, and paused plans, in the table’s stream', () => {
    expect(textOf(mapping['EventSourceArn'])).toBe('{Flags.StreamArn}');
    expect(mapping).toMatchObject({ StartingPosition: 'LATEST', BatchSize: 10, ParallelizationFactor: 1 });
    const { Filters } = mapping['FilterCriteria'] as { Filters: { Pattern: string }[] };
    expect(Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
      { dynamodb: { NewImage: { pk: { S: [{ prefix: 'HISTORY#' }] } } } },
      {
        dynamodb: {
          NewImage: { pk: { S: [{ prefix: 'PLAN#' }] }, pausedAt: { N: [{ exists: true }] } },
        },
      },
    ]);
  });

  test('are retried for two hours, and then set aside for 14 days', () => {
    expect(mapping).toMatchObject({
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: -1,
      MaximumRecordAgeInSeconds: 7_200,
    });
    const { OnFailure } = mapping['DestinationConfig'] as { OnFailure: { Destination: unknown } };
    const queue = onlyResourceOf(template, 'AWS::SQS::Queue');
    expect(textOf(OnFailure.Destination)).toBe(textOf({ 'Fn::GetAtt': [queue.id, 'Arn'] }));
    expect(queue.properties).toMatchObject({ MessageRetentionPeriod: 14 * 24 * 3_600 });
  });

  test.each([
    ['default', 'arn:{AWS::Partition}:events:{AWS::Region}:{AWS::AccountId}:event-bus/default'],
    ['team/flags', 'arn:{AWS::Partition}:events:{AWS::Region}:{AWS::AccountId}:event-bus/team/flags'],
    [ARN, ARN],
  ])('go to the bus %s and no other', (eventBus, arn) => {
    const withBus = templateWith('Data', { eventBus });
    const { properties } = functionWithEntry(withBus, 'functions/lambda/announce.ts');
    expect(properties['Environment']).toMatchObject({ Variables: { EVENT_BUS: eventBus } });
    const statements = resourcesOf(withBus, 'AWS::IAM::Policy')
      .flatMap((policy) => (policy.properties['PolicyDocument'] as { Statement: Statement[] }).Statement)
      .filter(({ Action }) => Action === 'events:PutEvents');
    expect(statements.map(({ Resource }) => textOf(Resource))).toEqual([arn]);
  });

  test('read history, journal and documents, and no secrets', () => {
    const conditions = resourcesOf(template, 'AWS::IAM::Policy')
      .filter(({ id }) => id.startsWith('Events'))
      .flatMap(({ properties }) => (properties['PolicyDocument'] as { Statement: Statement[] }).Statement)
      .flatMap(({ Condition }) => Condition ?? []);
    expect(conditions).toEqual([
      { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ENV#*', 'HISTORY#*', 'JOURNAL#*'] } },
    ]);
  });

  test('events of paused plans go to the alarm topic as text, by EventBridge', () => {
    const mailed = templateWith('Data', { stage: 'prod', lean: false, alarms: true, alarmEmail: 'ops@example.com' });
    const topic = onlyResourceOf(mailed, 'AWS::SNS::Topic');
    const rules = resourcesOf(mailed, 'AWS::Events::Rule').filter(({ id }) => id.startsWith('Alarms'));
    expect(rules.map(({ properties }) => properties)).toMatchObject([
      {
        EventBusName: 'default',
        EventPattern: { source: ['flagwire'], 'detail-type': ['Plan Paused', 'Guard Fired'] },
        Targets: [
          {
            Arn: { Ref: topic.id },
            InputPath: '$.detail.text',
          },
        ],
      },
    ]);
    expect(JSON.stringify(onlyResourceOf(mailed, 'AWS::SNS::TopicPolicy').properties)).toContain(
      'events.amazonaws.com',
    );
  });

  test('need no function, queue or alarm where they are off', () => {
    const off = templateWith('Data', { stage: 'prod', eventBus: 'off' });
    expect(Object.keys(off.Resources).filter((id) => id.startsWith('Events'))).toEqual([]);
  });

  test('have an alarm on what was set aside, which a lean deployment leaves out', () => {
    expect(resourcesOf(template, 'AWS::CloudWatch::Alarm')).toEqual([]);
    const alarms = resourcesOf(templateOf('Data', 'prod'), 'AWS::CloudWatch::Alarm');
    const properties = alarms.find(
      ({ properties: { AlarmName } }) => AlarmName === 'Flagwire-prod-unannounced-changes',
    )?.properties;
    expect(properties).toMatchObject({
      AlarmName: 'Flagwire-prod-unannounced-changes',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Threshold: 0,
    });
    const silent = templateWith('Data', { stage: 'prod', alarms: false });
    expect(resourcesOf(silent, 'AWS::CloudWatch::Alarm')).toEqual([]);
  });

  test('follow a table that is there', () => {
    const existingStreamArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/restored/stream/2026-11-24T10:00:00.000';
    const adopting = templateWith('Data', { flagsTable: { existingStreamArn } });
    const { properties } = onlyResourceOf(adopting, 'AWS::Lambda::EventSourceMapping');
    expect(properties['EventSourceArn']).toBe(existingStreamArn);
    const { Environment } = functionWithEntry(adopting, 'functions/lambda/announce.ts').properties;
    expect(Environment).toMatchObject({ Variables: { FLAGS_TABLE: 'restored' } });
  });
});

test('the bus is in the account and region of the deployment', () => {
  expect(readConfig({ eventBus: ARN, region: 'eu-west-1' }).eventBus).toBe(ARN);
  expect(() => readConfig({ eventBus: ARN, region: 'us-east-1' })).toThrow(/cannot be used: the region is us-east-1/);
  expect(() => readConfig({ eventBus: ARN, account: '210987654321' })).toThrow(/the account is 210987654321/);
  expect(() => readConfig({ eventBus: 'my bus' })).toThrow(/an event bus is a name such as default/);
  expect(() => readConfig({ eventBus: 'arn:aws:sqs:eu-west-1:123456789012:x' })).toThrow(/an event bus is a name/);
});

interface Statement {
  readonly Action: unknown;
  readonly Resource: unknown;
  readonly Condition?: unknown;
}
