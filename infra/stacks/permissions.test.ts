import { describe, expect, jest, test } from '@jest/globals';
import { variants } from '../../dev/verify/checks/variants.ts';
import type { Template } from '../inProcess.ts';
import { synthesizedTemplates } from '../testing/synthesizedTemplates.ts';
import {
  functionWithEntry,
  onlyResourceOf,
  resourcesOf,
  templateOf,
  templateWith,
  textOf,
} from './testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

const posting =
  'execute-api:ManageConnections on arn:{AWS::Partition}:execute-api:{AWS::Region}:{AWS::AccountId}:{StreamingApi}/streaming/POST/@connections/*';
const ending = posting.replace('POST', 'DELETE');
const postingAndEnding = `${ending} ${posting.split(' on ')[1]}`;

const answering = [
  'dynamodb:GetItem dynamodb:Query on {Flags.Arn} if ENV#* JOURNAL#* VERSION#* RELAYS',
  'dynamodb:GetItem dynamodb:UpdateItem on {Connections.Arn}',
  'dynamodb:DeleteItem dynamodb:PutItem on {Connections.Arn} if UNANSWERED#*',
  posting,
];

/** Everything each function may do, besides writing its own log. */
const permissions: [entry: string, logs: string, may: string[]][] = [
  [
    'functions/lambda/connect.ts',
    'StreamingConnectLogs',
    ['dynamodb:GetItem on {Flags.Arn} if RELAYS SECRET#*', 'dynamodb:PutItem on {Connections.Arn} if UNANSWERED#*'],
  ],
  ['functions/lambda/sync.ts', 'StreamingSyncLogs', answering],
  ['functions/lambda/default.ts', 'StreamingDefaultRouteLogs', answering],
  ['functions/lambda/disconnect.ts', 'StreamingDisconnectLogs', ['dynamodb:DeleteItem on {Connections.Arn}']],
  [
    'functions/lambda/publish.ts',
    'PushPublishLogs',
    [
      'dynamodb:Query on {Connections.Arn} if CONN#*',
      'sqs:SendMessage on {PushQueue.Arn} {PushRevocationsQueue.Arn} {PushUnpublished.Arn}',
      // DynamoDB has no narrower resource for this one; Lambda's poller asks for it.
      'dynamodb:ListStreams on * {Flags.StreamArn}',
      'dynamodb:DescribeStream dynamodb:GetRecords dynamodb:GetShardIterator on {Flags.StreamArn}',
    ],
  ],
  [
    'functions/lambda/deliver.ts',
    'PushDeliverLogs',
    [
      'dynamodb:GetItem dynamodb:Query on {Flags.Arn} if ENV#* JOURNAL#* VERSION#*',
      'dynamodb:DeleteItem dynamodb:GetItem dynamodb:PutItem dynamodb:Query dynamodb:UpdateItem on {Connections.Arn}',
      'sqs:SendMessage on {PushUndelivered.Arn}',
      posting,
      'sqs:ChangeMessageVisibility sqs:DeleteMessage sqs:GetQueueAttributes sqs:GetQueueUrl sqs:ReceiveMessage on {PushQueue.Arn}',
    ],
  ],
  [
    'functions/lambda/revoke.ts',
    'PushRevocationsRevokeLogs',
    [
      'dynamodb:DeleteItem dynamodb:Query on {Connections.Arn}',
      // What Lambda's poller asks for, and sending.
      'sqs:ChangeMessageVisibility sqs:DeleteMessage sqs:GetQueueAttributes sqs:GetQueueUrl sqs:ReceiveMessage sqs:SendMessage on {PushRevocationsQueue.Arn}',
      ending,
    ],
  ],
  [
    'functions/lambda/heal.ts',
    'HealingHealLogs',
    [
      'dynamodb:GetItem dynamodb:Query on {Flags.Arn} if ENV#* JOURNAL#* VERSION#* RELAYS',
      'dynamodb:DeleteItem dynamodb:GetItem dynamodb:Query dynamodb:UpdateItem on {Connections.Arn}',
      postingAndEnding,
    ],
  ],
  [
    'functions/lambda/http.ts',
    'PollingHttpLogs',
    [
      'dynamodb:GetItem dynamodb:Query on {Flags.Arn} if ENV#* JOURNAL#* VERSION#* RELAYS SECRET#*',
      'firehose:PutRecordBatch on {InsightStream.Arn}',
    ],
  ],
];

describe.each(['dev', 'prod'] as const)('permissions in stage %s', (stage) => {
  const template = templateOf('Serverless', stage);

  test.each(permissions)('%s', (entry, logs, may) => {
    const { properties } = functionWithEntry(template, entry);
    const ownLog = `logs:CreateLogStream logs:PutLogEvents on {${logs}.Arn}`;
    expect(statementsOf(template, properties['Role']).map(sentence)).toEqual([ownLog, ...may]);
  });

  test('Firehose may write to its bucket and its log only', () => {
    const { properties } = onlyResourceOf(template, 'AWS::KinesisFirehose::DeliveryStream');
    const destination = properties['ExtendedS3DestinationConfiguration'] as { RoleARN: unknown };
    expect(statementsOf(template, destination.RoleARN).map(sentence)).toEqual([
      's3:GetBucketLocation s3:ListBucket s3:ListBucketMultipartUploads on {InsightBucket.Arn}',
      's3:AbortMultipartUpload s3:GetObject s3:PutObject on {InsightBucket.Arn}/*',
      'logs:PutLogEvents on {InsightLogs.Arn}',
    ]);
  });
});

test('no role has a managed policy, which would widen it unseen, but the one by which API Gateway logs', () => {
  const template = templateWith('Serverless', { stage: 'prod', streamingAccessLogs: 'create-role' });
  const managed = resourcesOf(template, 'AWS::IAM::Role').filter(({ properties }) => {
    expect(properties).not.toHaveProperty('Policies');
    return 'ManagedPolicyArns' in properties;
  });
  expect(managed.map(({ id }) => id)).toEqual([expect.stringMatching(/^StreamingAccessLogRole/)]);
});

test('what answers data-syncs and delivers may send to connections, what revokes and heals end them, and nobody else', () => {
  const managers = permissions.filter(([, , may]) => may.some((sentence) => sentence.includes('execute-api:')));
  expect(
    managers.map(([entry, , may]) => [entry, may.filter((sentence) => sentence.includes('execute-api:'))]),
  ).toEqual([
    ['functions/lambda/sync.ts', [posting]],
    ['functions/lambda/default.ts', [posting]],
    ['functions/lambda/deliver.ts', [posting]],
    ['functions/lambda/revoke.ts', [ending]],
    ['functions/lambda/heal.ts', [postingAndEnding]],
  ]);
});

test.each(Object.entries(variants))(
  'in %s nothing is allowed on everything, but what has no narrower resource',
  (_, config) => {
    const statements = Object.values(synthesizedTemplates(config))
      .flatMap((template) => resourcesOf(template, 'AWS::IAM::Policy'))
      .flatMap(({ properties }) => (properties['PolicyDocument'] as { Statement: Statement[] }).Statement);
    expect(statements.length).toBeGreaterThan(10);
    const unnarrowed = statements
      .filter(({ Resource }) => [Resource].flat().includes('*'))
      .flatMap(({ Action }) => Action);
    // PutMetricData is held to a namespace, which comparison.test.ts looks at.
    const known = [
      'dynamodb:ListStreams',
      'xray:PutTraceSegments',
      'xray:PutTelemetryRecords',
      'cloudwatch:PutMetricData',
    ];
    expect(unnarrowed.filter((action) => !known.includes(action))).toEqual([]);
    for (const action of statements.flatMap(({ Action }) => Action)) expect(action).not.toContain('*');
  },
);

test('no function may write flags', () => {
  for (const [, , may] of permissions) {
    const onFlags = may.filter((sentence) => sentence.includes('on {Flags.Arn}'));
    expect(onFlags.join(' ')).not.toMatch(/dynamodb:(Put|Update|Delete|BatchWrite|Transact|PartiQL)/);
  }
});

function statementsOf(template: Template, roleArn: unknown): Statement[] {
  const roleId = (roleArn as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0];
  return resourcesOf(template, 'AWS::IAM::Policy')
    .filter(({ properties }) => (properties['Roles'] as { Ref: string }[]).some(({ Ref }) => Ref === roleId))
    .flatMap(({ properties }) => (properties['PolicyDocument'] as { Statement: Statement[] }).Statement);
}

function sentence({ Effect, Action, Resource, Condition }: Statement): string {
  expect(Effect).toBe('Allow');
  const resources = [Resource].flat().map(textOf).join(' ');
  return `${[Action].flat().join(' ')} on ${resources}${Condition ? ` if ${leadingKeys(Condition).join(' ')}` : ''}`;
}

function leadingKeys(condition: unknown): string[] {
  const { 'ForAllValues:StringLike': operator, ...others } = condition as Record<string, Record<string, string[]>>;
  expect(others).toEqual({});
  expect(Object.keys(operator ?? {})).toEqual(['dynamodb:LeadingKeys']);
  return operator?.['dynamodb:LeadingKeys'] ?? [];
}
