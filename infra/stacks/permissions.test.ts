import { describe, expect, jest, test } from '@jest/globals';
import { variants } from '../../dev/verify/checks/variants.ts';
import type { Template } from '../inProcess.ts';
import { synthesizedTemplates } from '../testing/synthesizedTemplates.ts';
import {
  onlyResourceOf,
  resourcesOf,
  serviceFunctions,
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

// That functions may do what they do is tested where they run, in the emulator, under these policies; that no action is allowed
// without code that asks for it, in operations.test.ts. Here is what policies must not be wider than.
describe.each(['dev', 'prod'] as const)('permissions in stage %s', (stage) => {
  const template = templateOf('Serverless', stage);
  const functions = serviceFunctions(template).map(({ properties, template: { Metadata } }) => ({
    entry: String(Metadata?.['flagwire:entry']),
    statements: statementsOf(template, properties['Role']),
  }));

  test('functions read flags by families of keys alone; publish writes snapshots, and heal the version of the service', () => {
    const onFlags = functions.flatMap(({ entry, statements }) =>
      statements
        .filter(({ Resource }) => [Resource].flat().map(textOf).includes('{Flags.Arn}'))
        .map(({ Action, Condition }) => ({ entry, actions: [Action].flat(), keys: leadingKeys(Condition) })),
    );
    expect(onFlags.length).toBeGreaterThan(3);
    const isRead = (action: unknown) => ['dynamodb:GetItem', 'dynamodb:Query'].includes(String(action));
    expect(onFlags.filter(({ actions }) => !actions.every(isRead))).toEqual([
      {
        entry: 'functions/lambda/publish.ts',
        actions: ['dynamodb:DeleteItem', 'dynamodb:PutItem'],
        keys: ['SNAPSHOT#*'],
      },
      { entry: 'functions/lambda/heal.ts', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], keys: ['SERVICE'] },
    ]);
    for (const { keys } of onFlags) {
      expect(keys).not.toEqual([]);
      for (const key of keys) expect(key).toMatch(/^([A-Z]+#\*|RELAYS|SERVICE)$/);
    }
  });

  test('functions use connections by families of keys alone', () => {
    const onConnections = functions.flatMap(({ entry, statements }) =>
      statements
        .filter(({ Resource }) => [Resource].flat().map(textOf).includes('{Connections.Arn}'))
        .map(({ Condition }) => [entry, Condition ? leadingKeys(Condition) : []] as const),
    );
    expect(onConnections.filter(([, keys]) => keys.length === 0)).toEqual([]);
    const families = Map.groupBy(onConnections, ([entry]) => entry.replace('functions/lambda/', ''));
    expect(
      Object.fromEntries(
        [...families].map(([entry, all]) => [entry, [...new Set(all.flatMap(([, keys]) => keys))].sort()]),
      ),
    ).toEqual({
      'connect.ts': ['UNANSWERED#*'],
      'sync.ts': ['CONN#*', 'UNANSWERED#*'],
      'default.ts': ['CONN#*', 'UNANSWERED#*'],
      'disconnect.ts': ['CONN#*', 'UNANSWERED#*'],
      'publish.ts': ['CONN#*'],
      'deliver.ts': ['CONN#*', 'UNANSWERED#*'],
      'revoke.ts': ['CONN#*', 'REVOCATIONS'],
      'heal.ts': ['CONN#*', 'REVOCATIONS', 'UNANSWERED#*'],
    });
  });

  test('pollers may do on streams and queues what Lambda needs, and deliver sets the pause of a retry', () => {
    const polling = functions
      .flatMap(({ statements }) => statements)
      .flatMap(({ Action, Resource }) => [Action].flat().map((action) => [action, textOf([Resource].flat()[0])]))
      .filter(([action]) => /^sqs:(?!SendMessage)|^dynamodb:(.*Stream|GetRecords|GetShard)/.test(String(action)));
    expect([...new Set(polling.map(([action]) => action))].sort()).toEqual([
      'dynamodb:DescribeStream',
      'dynamodb:GetRecords',
      'dynamodb:GetShardIterator',
      'dynamodb:ListStreams',
      'sqs:ChangeMessageVisibility',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:ReceiveMessage',
    ]);
    for (const [action, resource] of polling)
      expect([action, resource === '*']).toEqual([action, action === 'dynamodb:ListStreams']);
  });

  test('secrets are read by what checks them: at the handshake and over HTTP', () => {
    const readers = functions.filter(({ statements }) =>
      statements.some(({ Condition }) => Condition && leadingKeys(Condition).includes('SECRET#*')),
    );
    expect(readers.map(({ entry }) => entry)).toEqual(['functions/lambda/connect.ts', 'functions/lambda/http.ts']);
  });

  test('only sync and deliver may send to connections, and only revoke and heal end them', () => {
    const managers = functions.flatMap(({ entry, statements }) => {
      const managing = statements.filter(({ Action }) => [Action].flat().includes('execute-api:ManageConnections'));
      const methods = managing
        .flatMap(({ Resource }) => [Resource].flat())
        .map((resource) => {
          const [, method] = /\{StreamingApi\}\/streaming\/(\w+)\/@connections\/\*$/.exec(textOf(resource)) ?? [];
          return method;
        });
      return methods.length > 0 ? [[entry, ...methods]] : [];
    });
    expect(managers).toEqual([
      ['functions/lambda/sync.ts', 'POST'],
      ['functions/lambda/default.ts', 'POST'],
      ['functions/lambda/revoke.ts', 'DELETE'],
      ['functions/lambda/deliver.ts', 'POST'],
      ['functions/lambda/heal.ts', 'DELETE', 'POST'],
    ]);
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
    // PutMetricData is held to a namespace, which host.test.ts looks at.
    const known = [
      'dynamodb:ListStreams',
      'xray:PutTraceSegments',
      'xray:PutTelemetryRecords',
      'cloudwatch:PutMetricData',
      // Any alarm of the account can be a guard.
      'cloudwatch:DescribeAlarms',
      'cloudwatch:GetMetricData',
      'cloudwatch:ListTagsForResource',
      'tag:GetResources',
      // Of the machine behind a front door.
      'ec2:DescribeSecurityGroups',
      'ec2:DescribeInstanceStatus',
    ];
    expect(unnarrowed.filter((action) => !known.includes(action))).toEqual([]);
    for (const action of statements.flatMap(({ Action }) => Action)) expect(action).not.toContain('*');
  },
);

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
