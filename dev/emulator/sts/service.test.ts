import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  AssumeRoleCommand,
  type AssumeRoleCommandInput,
  GetCallerIdentityCommand,
  STSClient,
} from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type LocalStack, startLocal } from '../emulator.ts';
import type { AccessKey } from '../iam/identities.ts';
import { manualClock } from '../testing/manualClock.ts';
import { allow, attribute, role } from '../testing/resources.ts';
import { exampleTemplates, withResource } from '../testing/templates.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/Data-Flags';
const PERSON_ARN = 'arn:aws:iam::000000000000:role/Http-PersonRole';
const SET = ['sts:AssumeRole', 'sts:SetSourceIdentity'];

/** A role that the function's role assumes in the name of a person. */
const trusting = (statement: object, ...more: object[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    ...role(allow(TABLE, 'dynamodb:GetItem'), ...more).Properties,
    AssumeRolePolicyDocument: {
      Statement: [
        {
          Effect: 'Allow',
          Action: SET,
          Principal: { AWS: attribute('Role', 'Arn') },
          Condition: { StringLike: { 'sts:SourceIdentity': '*' } },
          ...statement,
        },
      ],
    },
  },
});
const deny = {
  Effect: 'Deny',
  Action: '*',
  Resource: '*',
  Condition: { StringEquals: { 'aws:SourceIdentity': 'eve' } },
};
const templates = Object.entries({
  Role: role(allow('arn:aws:iam::000000000000:role/*', ...SET)),
  Other: role(allow('*', ...SET)),
  Weak: role(allow('*', 'sts:AssumeRole')),
  PersonRole: trusting({}, deny),
  WeakRole: trusting({ Principal: { AWS: 'arn:aws:iam::000000000000:root' } }),
  NoNameRole: trusting({ Action: 'sts:AssumeRole', Condition: {} }),
}).reduce((all, [id, resource]) => withResource(all, 'Http', id, resource), exampleTemplates);

let stack: LocalStack;
const clock = manualClock(Date.parse('2026-11-29T12:00:00Z'));
const clients: { destroy(): void }[] = [];
beforeAll(async () => {
  stack = await startLocal({ templates, clock, log: () => {} });
});
afterAll(async () => {
  for (const client of clients) client.destroy();
  await stack.close();
});

const sts = (caller: string | AccessKey) => {
  const credentials = typeof caller === 'string' ? stack.assumeRole(`Http/${caller}`) : caller;
  const client = new STSClient({ credentials, maxAttempts: 1 });
  clients.push(client);
  return client;
};
const assume = async (caller: string | AccessKey, changes: Partial<AssumeRoleCommandInput> = {}) => {
  const input = { RoleArn: PERSON_ARN, RoleSessionName: 'console', SourceIdentity: 'ann@example.com', ...changes };
  const { Credentials, ...answer } = await sts(caller).send(new AssumeRoleCommand(input));
  const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '', Expiration } = Credentials ?? {};
  const key: AccessKey = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
  return { key, Expiration, answer };
};
const read = (credentials: AccessKey) => {
  const client = new DynamoDBClient({ credentials, maxAttempts: 1 });
  clients.push(client);
  return client.send(new GetItemCommand({ TableName: stack.tables.flags, Key: { pk: { S: 'a' }, sk: { S: '-' } } }));
};

describe('AssumeRole', () => {
  test('gives a session of the role, in the name of the person, until it expires', async () => {
    const { key, Expiration, answer } = await assume('Role', { DurationSeconds: 900 });
    expect(answer).toMatchObject({
      SourceIdentity: 'ann@example.com',
      AssumedRoleUser: { Arn: 'arn:aws:sts::000000000000:assumed-role/Http-PersonRole/console' },
    });
    expect(Expiration).toEqual(new Date('2026-11-29T12:15:00Z'));
    await expect(read(key)).resolves.toBeDefined();
    expect(stack.unusedGrants().join()).not.toContain('Http-PersonRole: dynamodb:GetItem');
    clock.advance(900_000);
    await expect(read(key)).rejects.toMatchObject({ name: 'ExpiredTokenException' });
    await expect(assume(key)).rejects.toMatchObject({ name: 'ExpiredToken' });
    clock.advance(3_600_000);
    await assume('Role');
    await expect(read(key)).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  });

  test('gives a key that is worth nothing without its token', async () => {
    const { key } = await assume('Role');
    const { sessionToken: _, ...without } = key;
    await expect(read(without)).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    await expect(read({ ...key, sessionToken: 'x' })).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  });

  test('gives a session that a policy can end by its person', async () => {
    const { key } = await assume('Role', { SourceIdentity: 'eve' });
    await expect(read(key)).rejects.toThrow('with an explicit deny');
  });

  test.each<[string, string, Partial<AssumeRoleCommandInput>]>([
    ['without a source identity', 'Role', { SourceIdentity: undefined }],
    ['by a role that the trust policy does not name', 'Other', {}],
    ['without a role', 'Role', { RoleArn: 'arn:aws:iam::000000000000:role/Missing' }],
    ['by a role without sts:SetSourceIdentity', 'Weak', { RoleArn: PERSON_ARN.replace('Person', 'Weak') }],
    ['if the trust policy lacks sts:SetSourceIdentity', 'Role', { RoleArn: PERSON_ARN.replace('Person', 'NoName') }],
  ])('is refused %s', async (_, caller, changes) => {
    await expect(assume(caller, changes)).rejects.toMatchObject({
      name: 'AccessDenied',
      message: expect.stringMatching(
        /^User: arn:aws:sts::.* is not authorized to perform: sts:\w+ on resource: arn:aws:iam/,
      ),
    });
  });

  test('is refused to an administrator whom the trust policy does not name', async () => {
    const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = stack.environment;
    await expect(assume({ accessKeyId, secretAccessKey })).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test.each<[Partial<AssumeRoleCommandInput>, string]>([
    [{ DurationSeconds: 899 }, "Value '899' at 'durationSeconds' failed to satisfy constraint"],
    [{ DurationSeconds: 3_601 }, 'exceeds the 1 hour session limit for roles assumed by role chaining'],
    [{ SourceIdentity: 'ann example' }, "at 'sourceIdentity' failed to satisfy constraint"],
    [{ SourceIdentity: 'a' }, "at 'sourceIdentity'"],
    [{ SourceIdentity: 'x'.repeat(65) }, "at 'sourceIdentity'"],
    [{ RoleSessionName: '<é>' }, "at 'roleSessionName'"],
    [{ Policy: '{}' }, 'The emulator does not offer Policy'],
  ])('refuses %j as AWS does', async (changes, message) => {
    await expect(assume('Role', changes)).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining(message),
    });
  });

  test('checks the signature, and offers no other operation', async () => {
    const key = stack.assumeRole('Http/Role');
    await expect(assume({ ...key, secretAccessKey: 'x' })).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    await expect(assume({ ...key, accessKeyId: 'x' })).rejects.toMatchObject({ name: 'InvalidClientTokenId' });
    await expect(sts('Role').send(new GetCallerIdentityCommand({}))).rejects.toThrow(
      'does not offer GetCallerIdentity',
    );
  });
});
