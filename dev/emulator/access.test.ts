import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type LocalStack, startLocal } from './emulator.ts';
import { apiHost, apiId } from './template/account.ts';
import { whenReceived } from './testing/handlers/received.ts';
import { release, whenHeld } from './testing/held.ts';
import { manualClock } from './testing/manualClock.ts';
import { allow, attribute, fn, imported, ref, role } from './testing/resources.ts';
import { exampleTemplates, withProperties, withResource } from './testing/templates.ts';

const api = apiHost(apiId({ stack: 'Realtime', logicalId: 'Ws' }));
const CONNECTIONS_ENDPOINT = { 'Fn::Join': ['', ['https://', api, '/streaming']] };
const variables = {
  CONNECTIONS_ENDPOINT,
  QUEUE_URL: ref('Queue'),
  FLAGS_TABLE: imported('FlagsName'),
  INSIGHT_STREAM: ref('Insight'),
};
const flags = {
  'Fn::Join': ['', ['arn:aws:dynamodb:us-east-1:', ref('AWS::AccountId'), ':table/', imported('FlagsName')]],
};
const onlyOwn = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['OWN#*'] } };
const own = { ...allow(flags, 'dynamodb:GetItem', 'dynamodb:PutItem'), Condition: onlyOwn };

/** The example, whose HTTP function asks AWS for what a path says, under a role with these statements. */
const withRole = (...statements: object[]) =>
  Object.entries({
    HttpFn: fn('asking.ts', variables),
    Queue: { Type: 'AWS::SQS::Queue' },
    Role: role(...statements),
  }).reduce((templates, [id, resource]) => withResource(templates, 'Http', id, resource), exampleTemplates);

const log: string[] = [];
afterEach(() => {
  log.length = 0;
});
const start = (templates = exampleTemplates) => startLocal({ templates, log: (line) => log.push(line) });

const SELF = 'arn:aws:sts::000000000000:assumed-role/Http-Role/Http-HttpFn';
const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/Data-Flags';
const askOf = (stack: LocalStack) => async (path: string) => (await fetch(`${stack.httpUrl}/${path}`)).json();

describe('a function whose role allows something', () => {
  let stack: LocalStack;
  let ask: (path: string) => Promise<unknown>;
  beforeAll(async () => {
    stack = await start(
      withRole(
        own,
        allow(attribute('Queue', 'Arn'), 'sqs:SendMessage'),
        allow(attribute('Insight', 'Arn'), 'firehose:PutRecord'),
      ),
    );
    ask = askOf(stack);
  });
  afterAll(() => stack.close());

  test.each(['get/OWN%231', 'put/OWN%231', 'transact/OWN%231', 'send', 'record/Http-Insight'])(
    'may %s',
    async (path) => {
      expect(await ask(decodeURIComponent(path).replace('#', '%23'))).toEqual({ error: null });
      expect(log).toEqual([]);
    },
  );

  test.each([
    ['get/OTHER', 'dynamodb:GetItem', TABLE],
    ['put/OTHER', 'dynamodb:PutItem', TABLE],
    ['transact/OTHER', 'dynamodb:PutItem', TABLE],
  ])('may not %s, and hears it as DynamoDB says it', async (path, action, resource) => {
    const message = `User: ${SELF} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
    expect(await ask(path)).toEqual({ error: 'AccessDeniedException', message, status: 400 });
    expect(log).toEqual([`iam: ${message}`]);
  });

  test('may not post to connections, and hears it as API Gateway says it', async () => {
    expect(await ask('post/abcdefgh')).toMatchObject({
      error: 'AccessDeniedException',
      status: 403,
      message: expect.stringMatching(
        /execute-api:ManageConnections on resource: .*\/streaming\/POST\/@connections\/abcdefgh/,
      ),
    });
  });

  test('sees its own variables and access key, and those of no other function', async () => {
    expect(await ask('variable/QUEUE_URL')).toMatchObject({ QUEUE_URL: expect.stringContaining('/Http-Queue') });
    expect(await ask('variable/PUSH_QUEUE_URL')).toEqual({ PUSH_QUEUE_URL: null });
    const { AWS_ACCESS_KEY_ID } = stack.environment;
    expect(await ask('variable/AWS_ACCESS_KEY_ID')).not.toEqual({ AWS_ACCESS_KEY_ID });
    expect(process.env['PUSH_QUEUE_URL']).toBeDefined();
  });
});

test('a function whose role allows nothing is refused by each service', async () => {
  const stack = await start(withRole());
  for (const [path, error, status] of [
    ['get/OWN', 'AccessDeniedException', 400],
    ['send', 'AccessDenied', 403],
    ['record/Http-Insight', 'AccessDeniedException', 400],
  ]) {
    expect(await askOf(stack)(String(path))).toMatchObject({ error, status });
  }
  await stack.close();
});

test('a queue’s policy that denies everybody wins over a role that allows', async () => {
  const deny = { Effect: 'Deny', Principal: { AWS: '*' }, Action: 'sqs:*', Resource: attribute('Queue', 'Arn') };
  const policy = (Condition: object) => ({
    Type: 'AWS::SQS::QueuePolicy',
    Properties: { Queues: [ref('Queue')], PolicyDocument: { Statement: [{ ...deny, Condition }] } },
  });
  const allowed = withRole(allow(attribute('Queue', 'Arn'), 'sqs:SendMessage'));
  for (const [secure, error] of [
    ['false', null],
    ['true', 'AccessDenied'],
  ]) {
    const condition = { Bool: { 'aws:SecureTransport': secure } };
    const stack = await start(withResource(allowed, 'Http', 'QueuePolicy', policy(condition)));
    expect(await askOf(stack)('send')).toMatchObject({ error });
    await stack.close();
  }
});

test.each([
  ['an operator', { StringMaybe: { 'dynamodb:LeadingKeys': 'OWN' } }, 'operator StringMaybe'],
  ['a key', { StringEquals: { 'dynamodb:Mood': 'good' } }, 'condition key dynamodb:Mood'],
])('%s that is not known denies, by its name', async (_, Condition, name) => {
  const stack = await start(withRole({ ...own, Condition }));
  expect(await askOf(stack)('get/OWN')).toMatchObject({ error: 'AccessDeniedException' });
  expect(log.join()).toContain(`; not known to the emulator: ${name}`);
  await stack.close();
});

test('lists the grants of a role that no call has used', async () => {
  const stack = await start(withRole(own));
  await askOf(stack)('get/OWN%23');
  expect(stack.unusedGrants().filter((grant) => grant.startsWith('Http-Role'))).toEqual([
    `Http-Role: dynamodb:PutItem on ${TABLE}`,
  ]);
  await stack.close();
});

describe('the role of a machine', () => {
  const managed = (...ManagedPolicyArns: unknown[]) => {
    const { Type, Properties } = role({ ...allow(flags, 'dynamodb:GetItem'), Condition: onlyOwn });
    return withResource(exampleTemplates, 'Http', 'MachineRole', {
      Type,
      Properties: { ...Properties, ManagedPolicyArns },
    });
  };
  const sessionManager = {
    'Fn::Join': ['', ['arn:', ref('AWS::Partition'), ':iam::aws:policy/AmazonSSMManagedInstanceCore']],
  };

  test('limits the requests of its access key; managed policies of AWS allow nothing', async () => {
    const stack = await start(managed(sessionManager));
    const client = new DynamoDBClient({ credentials: stack.assumeRole('Http/MachineRole') });
    const key = (pk: string) => ({ pk: { S: pk }, sk: { S: '-' } });
    const get = (pk: string) => client.send(new GetItemCommand({ TableName: stack.tables.flags, Key: key(pk) }));
    const put = client.send(new PutItemCommand({ TableName: stack.tables.flags, Item: key('OWN#1') }));
    const user =
      'User: arn:aws:sts::000000000000:assumed-role/Http-MachineRole/emulator is not authorized to perform: ';
    await expect(put).rejects.toThrow(`${user}dynamodb:PutItem on resource: ${TABLE}`);
    await expect(get('OTHER#1')).rejects.toThrow(`${user}dynamodb:GetItem on resource: ${TABLE}`);
    expect(stack.unusedGrants()).toContain(`Http-MachineRole: dynamodb:GetItem on ${TABLE}`);
    expect((await get('OWN#1')).Item).toBeUndefined();
    expect(stack.unusedGrants().join()).not.toContain('Http-MachineRole');
    client.destroy();
    await stack.close();
  });

  test('is refused by its name when the templates lack it, or a policy of it', async () => {
    const stack = await start(managed('arn:aws:iam::000000000000:policy/Missing'));
    expect(() => stack.assumeRole('Http/Missing')).toThrow('Http/Missing: there is no such role in the templates');
    expect(() => stack.assumeRole('Http/MachineRole')).toThrow('does not know the managed policy "arn:aws:iam::0');
    await stack.close();
  });
});

describe('without the right, and by its name,', () => {
  const queueOnly = ['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  const streamOnly = [
    'dynamodb:ListStreams',
    'dynamodb:DescribeStream',
    'dynamodb:GetRecords',
    'dynamodb:GetShardIterator',
  ];
  test.each([
    ['a stream is not read', queueOnly, 'Push/StreamMapping: User: arn:'],
    ['a failure destination is not written to', streamOnly, 'not authorized to perform: sqs:SendMessage on resource'],
    ['a queue is not read', [...streamOnly, 'sqs:SendMessage'], 'Push/QueueMapping: User: arn:'],
  ])('%s', async (_, actions, message) => {
    const templates = withResource(exampleTemplates, 'Push', 'Role', role(allow('*', ...actions)));
    await expect(start(templates)).rejects.toThrow(message);
  });

  test('a function is not called by an API', async () => {
    const other = { SourceArn: 'arn:aws:execute-api:us-east-1:000000000000:other/*' };
    const stack = await start(withProperties(exampleTemplates, 'Http', 'HttpCallable', other));
    expect((await fetch(stack.httpUrl)).status).toBe(500);
    expect(log.join()).toContain(
      'lambda Http-HttpFn: its policy does not let apigateway.amazonaws.com invoke it for arn:',
    );
    await stack.close();
  });
});

test('ignores requests of a timed-out function, and starts another instance', async () => {
  const clock = manualClock(Date.now());
  const stack = await startLocal({ templates: withRole(own), log: (line) => log.push(line), clock });
  const ask = askOf(stack);
  const first = await ask('variable/AWS_ACCESS_KEY_ID');
  const late = fetch(`${stack.httpUrl}/late/OWN%23`);
  await whenHeld(1);
  clock.advance(10_000);
  expect((await late).status).toBe(503);
  release();
  await whenReceived('late', 1);
  expect(await ask('variable/AWS_ACCESS_KEY_ID')).not.toEqual(first);
  const client = new DynamoDBClient({});
  const { Item } = await client.send(
    new GetItemCommand({ TableName: stack.tables.flags, Key: { pk: { S: 'OWN#' }, sk: { S: '-' } } }),
  );
  expect(Item).toBeUndefined();
  client.destroy();
  await stack.close();
});
