import { describe, expect, test } from '@jest/globals';
import { METRIC_UNITS } from '../../../functions/telemetry/metrics.ts';
import type { Settings } from '../../config/settingsSchema.ts';
import { resourcesOf, templateWith, textOf } from '../../stacks/testing/templates.ts';

interface Alarm {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions: { readonly Name: string; readonly Value: unknown }[];
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Threshold: number;
  readonly AlarmActions?: unknown[];
  readonly OKActions?: unknown[];
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm?: number;
}

const alarms = alarmsWith({ stage: 'prod' });

/** Every alarm: its name, what it looks at, and the last value that is right. */
const expected: [name: string, metric: string, limit: number][] = [
  ['connect-throttles', 'Sum of AWS/Lambda Throttles FunctionName={StreamingConnectHandler}', 0],
  ['sync-throttles', 'Sum of AWS/Lambda Throttles FunctionName={StreamingSyncHandler}', 0],
  ['heal-errors', 'Sum of AWS/Lambda Errors FunctionName={HealingHealHandler}', 0],
  [
    'unpublished-changes',
    'Maximum of AWS/SQS ApproximateNumberOfMessagesVisible QueueName={PushUnpublished.QueueName}',
    0,
  ],
  [
    'undelivered-changes',
    'Maximum of AWS/SQS ApproximateNumberOfMessagesVisible QueueName={PushUndelivered.QueueName}',
    0,
  ],
  ['unreadable-changes', 'Sum of Flagwire push.unreadable Stage=Flagwire-prod', 0],
  ['publish-iterator-age', 'Maximum of AWS/Lambda IteratorAge FunctionName={PushPublishHandler}', 60_000],
  ['deliver-errors', 'Sum of AWS/Lambda Errors FunctionName={PushDeliverHandler}', 0],
  ['revoke-errors', 'Sum of AWS/Lambda Errors FunctionName={PushRevocationsRevokeHandler}', 0],
  ['push-queue-age', 'Maximum of AWS/SQS ApproximateAgeOfOldestMessage QueueName={PushQueue.QueueName}', 60],
  ['http-5xx', 'Sum of AWS/ApiGateway 5xx ApiId={PollingApi} Stage=$default', 0],
  ['streaming-integration-errors', 'Sum of AWS/ApiGateway IntegrationError ApiId={StreamingApi} Stage=streaming', 0],
  ['streaming-execution-errors', 'Sum of AWS/ApiGateway ExecutionError ApiId={StreamingApi} Stage=streaming', 0],
  ['connection-errors', 'Sum of Flagwire websocket.connections.errors Stage=Flagwire-prod', 0],
  ['unanswered-connections', 'Maximum of Flagwire healed.waiting Stage=Flagwire-prod', 0],
  ['sync-p99', 'p99 of Flagwire sync.latency Stage=Flagwire-prod', 2_000],
];

/** What another alarm tells of as well, or what only foretells. */
const dispensable = [
  ...['sync-throttles', 'heal-errors', 'deliver-errors', 'revoke-errors'],
  ...['undelivered-changes', 'sync-p99'],
];

describe('the alarms', () => {
  test.each(expected)('%s: %s above %i', (name, metric, limit) => {
    const found = alarms.filter(({ AlarmName }) => AlarmName === `Flagwire-prod-${name}`);
    expect(found.map((alarm) => [metricOf(alarm), alarm.Threshold])).toEqual([[metric, limit]]);
  });

  test('are these and no other, each on one metric', () => {
    expect(alarms.map(({ AlarmName }) => AlarmName.replace('Flagwire-prod-', '')).sort()).toEqual(
      expected.map(([name]) => name).sort(),
    );
    for (const alarm of alarms) expect(alarm).not.toHaveProperty('Metrics');
  });

  test('say what happened to what and then what to do, and are silent where nothing is measured', () => {
    for (const alarm of alarms) {
      expect(alarm.AlarmDescription).toMatch(/^[A-Z].{20,}\. [A-Z].{20,}\.$/);
      expect(alarm.AlarmDescription.length).toBeLessThanOrEqual(1_024);
      expect(alarm).toMatchObject({ TreatMissingData: 'notBreaching', ComparisonOperator: 'GreaterThanThreshold' });
    }
  });

  test('on errors and throttles fire where they last, and not at a single one', () => {
    const lasting = alarms.filter(({ AlarmName }) => /(errors|5xx|throttles)$/.test(AlarmName));
    expect(lasting).toHaveLength(9);
    for (const alarm of lasting) expect(alarm).toMatchObject({ EvaluationPeriods: 3, DatapointsToAlarm: 2 });
  });

  test('on the age of changes says from how many connections on it fires by itself', () => {
    const descriptionWith = (settings: Readonly<Record<string, unknown>>) =>
      alarmsWith(settings).find(({ AlarmName }) => AlarmName.endsWith('push-queue-age'))?.AlarmDescription;
    // 4,000 messages a second, of which one environment has three quarters, for a minute.
    expect(descriptionWith({ stage: 'prod' })).toContain('more than 180000 connections');
    expect(descriptionWith({ stage: 'prod', throttlingRate: 20_000 })).toContain('more than 360000 connections');
  });

  test('look at metrics that the functions record', () => {
    for (const { Namespace, MetricName } of alarms) {
      if (Namespace === 'Flagwire') expect(Object.keys(METRIC_UNITS)).toContain(MetricName);
    }
  });

  test('a lean deployment has only alarms without a substitute, within the free tier', () => {
    const lean = alarmsWith({ stage: 'prod', lean: true });
    expect(lean.map(({ AlarmName }) => AlarmName)).toEqual(
      alarms.map(({ AlarmName }) => AlarmName).filter((name) => !dispensable.some((each) => name.endsWith(each))),
    );
    // https://aws.amazon.com/cloudwatch/pricing/, "Free tier".
    expect(lean).toHaveLength(10);
  });

  test('can be switched off', () => {
    expect(alarmsWith({ alarms: false })).toEqual([]);
  });

  test('go to a topic that is there, also when they are over', () => {
    const alarmTopicArn = 'arn:aws:sns:eu-west-1:123456789012:on-call';
    for (const { AlarmActions, OKActions } of alarmsWith({ stage: 'prod', alarmTopicArn })) {
      expect([AlarmActions, OKActions]).toEqual([[alarmTopicArn], [alarmTopicArn]]);
    }
  });

  test('tell nobody unless there is an address', () => {
    for (const { AlarmActions } of alarms) expect(AlarmActions).toBeUndefined();
    expect(resourcesOf(templateWith('Serverless', { stage: 'prod' }), 'AWS::SNS::Topic')).toEqual([]);
  });

  test('mail the address, those of all stacks, by one topic of the Data stack that takes TLS only', () => {
    const settings: Settings = { stage: 'prod', alarmEmail: 'ops@example.com', fargate: { allowInsecure: true } };
    for (const stack of ['Data', 'Serverless', 'Fargate'] as const) {
      const template = templateWith(stack, settings);
      const found = resourcesOf(template, 'AWS::CloudWatch::Alarm');
      expect(found).not.toEqual([]);
      for (const { properties } of found)
        for (const key of ['AlarmActions', 'OKActions'])
          expect((properties[key] as unknown[]).map(textOf)).toEqual(['{AlarmsTopic}']);
      expect(resourcesOf(template, 'AWS::SNS::Topic')).toHaveLength(stack === 'Data' ? 1 : 0);
      // An import would keep the topic from being removed.
      expect(JSON.stringify(template)).not.toMatch(/ImportValue[^}]*AlarmsTopic/);
    }
    const template = templateWith('Data', settings);
    const [subscription] = resourcesOf(template, 'AWS::SNS::Subscription');
    expect(subscription?.properties).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.com' });
    const [policy] = resourcesOf(template, 'AWS::SNS::TopicPolicy');
    expect(policy?.properties['PolicyDocument']).toMatchObject({
      Statement: [
        { Effect: 'Deny', Action: 'sns:Publish', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
        {
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
        { Effect: 'Allow', Action: 'sns:Publish', Principal: { Service: 'events.amazonaws.com' } },
      ],
    });
  });
});

function alarmsWith(settings: Readonly<Record<string, unknown>>): Alarm[] {
  const found = resourcesOf(templateWith('Serverless', settings), 'AWS::CloudWatch::Alarm');
  return found.map(({ properties }) => properties as unknown as Alarm);
}

function metricOf({ Namespace, MetricName, Dimensions, Statistic, ExtendedStatistic }: Alarm): string {
  const dimensions = Dimensions.map(({ Name, Value }) => `${Name}=${textOf(Value)}`);
  return `${Statistic ?? ExtendedStatistic} of ${Namespace} ${MetricName} ${dimensions.join(' ')}`;
}
