import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import type { Template } from '../inProcess.ts';
import { resourcesOf, serviceFunctions, textOf } from '../stacks/testing/templates.ts';
import { synthesizedTemplates } from '../testing/synthesizedTemplates.ts';

const kmsKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef';
const settings = {
  stage: 'prod',
  streamingAccessLogs: 'create-role',
  streamingExecutionLogs: true,
  alarmEmail: 'ops@example.com',
  operatorPolicies: true,
  host: true,
  fargate: { allowInsecure: true },
} as const;
const templates = synthesizedTemplates(readConfig({ ...settings, kmsKeyArn }));

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: { readonly StringEquals?: Readonly<Record<string, unknown>> };
}

describe('with a key of the customer', () => {
  test.each([
    ['AWS::Logs::LogGroup', { KmsKeyId: kmsKeyArn }],
    ['AWS::SQS::Queue', { KmsMasterKeyId: kmsKeyArn }],
    ['AWS::SNS::Topic', { KmsMasterKeyId: kmsKeyArn }],
    [
      'AWS::KinesisFirehose::DeliveryStream',
      { DeliveryStreamEncryptionConfigurationInput: { KeyType: 'CUSTOMER_MANAGED_CMK', KeyARN: kmsKeyArn } },
    ],
    [
      'AWS::S3::Bucket',
      {
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [
            {
              BucketKeyEnabled: true,
              ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: kmsKeyArn },
            },
          ],
        },
      },
    ],
    [
      'AWS::DynamoDB::GlobalTable',
      {
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
        Replicas: [expect.objectContaining({ SSESpecification: { KMSMasterKeyId: kmsKeyArn } })],
      },
    ],
  ])('every %s is encrypted with it', (type, properties) => {
    const all = resourcesOfAll(templates, type);
    expect(all.length).toBeGreaterThan(0);
    for (const resource of all) {
      expect(resource).toMatchObject(properties);
      expect(resource).not.toHaveProperty('SqsManagedSseEnabled');
    }
  });

  test('nothing that is kept is left out: each other type with a setting for a key is known', () => {
    const types = new Set(
      Object.values(templates).flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type)),
    );
    const stores =
      /^AWS::(DynamoDB|SQS|SNS|S3|Logs|KinesisFirehose|Kinesis|SecretsManager|EFS|RDS|ElastiCache)::(?!.*Policy|Subscription)/;
    expect([...types].filter((type) => stores.test(type)).sort()).toEqual([
      'AWS::DynamoDB::GlobalTable',
      'AWS::KinesisFirehose::DeliveryStream',
      'AWS::Logs::LogGroup',
      'AWS::Logs::LogStream',
      'AWS::S3::Bucket',
      'AWS::SNS::Topic',
      'AWS::SQS::Queue',
    ]);
  });

  test('a role that works with a table, a queue or the bucket may use it through that service, and not otherwise', () => {
    const policies = [
      ...resourcesOfAll(templates, 'AWS::IAM::Policy'),
      ...resourcesOfAll(templates, 'AWS::IAM::ManagedPolicy'),
    ].map((properties) => (properties['PolicyDocument'] as { Statement: Statement[] }).Statement);
    expect(policies.length).toBeGreaterThan(serviceFunctions(serverless(templates)).length);
    for (const statements of policies) {
      const actions = statements.filter((each) => !isOnKey(each)).flatMap(({ Action }) => Action);
      const does = (pattern: RegExp) => actions.some((action) => pattern.test(action));
      const uses = Object.fromEntries(
        statements.filter(isOnKey).map(({ Action, Resource, Condition }) => {
          expect(Resource).toBe(kmsKeyArn);
          const via = textOf(Condition?.StringEquals?.['kms:ViaService']);
          return [via.replace('.{AWS::Region}.amazonaws.com', ''), [Action].flat().sort()];
        }),
      );
      expect(uses).toEqual({
        ...(does(/^dynamodb:\w+(Item|Query|Records)$|^dynamodb:Query$/) && { dynamodb: ['kms:Decrypt'] }),
        ...(does(/^sqs:ReceiveMessage$/) && { sqs: ['kms:Decrypt'] }),
        ...(does(/^sqs:SendMessage$/) && { sqs: ['kms:Decrypt', 'kms:GenerateDataKey'] }),
        ...(does(/^s3:PutObject$/) && { s3: ['kms:Decrypt', 'kms:GenerateDataKey'] }),
      });
    }
  });
});

test('without one no resource names a key', () => {
  const text = JSON.stringify(synthesizedTemplates(readConfig(settings)));
  expect(text).not.toMatch(/Kms|KMS|kms:/);
});

function isOnKey({ Action }: Statement): boolean {
  return [Action].flat().every((action) => action.startsWith('kms:'));
}

function resourcesOfAll(of: Readonly<Record<string, Template>>, type: string): Readonly<Record<string, unknown>>[] {
  return Object.values(of).flatMap((template) => resourcesOf(template, type).map(({ properties }) => properties));
}

function serverless(of: Readonly<Record<string, Template>>): Template {
  const template = of['Flagwire-prod-Serverless'];
  if (!template) throw new Error('There is no stack Serverless.');
  return template;
}
