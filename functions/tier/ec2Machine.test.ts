import { beforeEach, expect, test } from '@jest/globals';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { useFakeApi } from '../../shared/testing/fakeApi.ts';
import { createStatusReader } from './ec2Machine.ts';

const ID = 'i-0123456789abcdef0';
let answer: { readonly status?: number; readonly body: string };
let asked: { readonly authorization: string | undefined; readonly query: Record<string, string> };

const fake = useFakeApi((request, response) => {
  const query = Object.fromEntries(new URLSearchParams(request.body));
  asked = { authorization: request.headers.authorization, query };
  response.writeHead(answer.status ?? 200).end(answer.body);
});

const listed = (items: string) =>
  `<?xml version="1.0"?>\n<DescribeInstanceStatusResponse><instanceStatusSet>${items}</instanceStatusSet></DescribeInstanceStatusResponse>`;
const check = (name: string, status: string) =>
  `<${name}><status>${status}</status><details><item><name>reachability</name><status>passed</status></item></details></${name}>`;
const running = (system: string, instance: string) =>
  listed(
    `<item><instanceState>\n<code>16</code>\n<name>running</name>\n</instanceState>${check('systemStatus', system)}${check('instanceStatus', instance)}</item>`,
  );

beforeEach(() => {
  answer = { body: running('ok', 'ok') };
});

const keys = async () => ({ accessKeyId: 'local', secretAccessKey: 'key' });
const read = () => createStatusReader({ endpoint: fake.endpoint, region: 'eu-west-1', keys }, ID, systemEffects)();

test.each([
  ['impaired', 'ok', true],
  ['ok', 'impaired', true],
  ['ok', 'ok', false],
  ['initializing', 'initializing', false],
  ['insufficient-data', 'not-applicable', false],
])('reads the checks %s of the system and %s of the instance as impaired: %s', async (system, instance, isImpaired) => {
  answer = { body: running(system, instance) };
  expect(await read()).toEqual({ isRunning: true, isImpaired });
});

// By default, EC2 lists running instances only.
test.each([listed(''), '<DescribeInstanceStatusResponse><instanceStatusSet/></DescribeInstanceStatusResponse>'])(
  'reads an instance that EC2 does not list as not running: %s',
  async (body) => {
    answer = { body };
    expect(await read()).toEqual({ isRunning: false, isImpaired: false });
  },
);

test('asks for the instance with a signed request', async () => {
  await read();
  expect(asked.authorization).toContain('/eu-west-1/ec2/aws4_request');
  expect(asked.query).toEqual({ Action: 'DescribeInstanceStatus', 'InstanceId.1': ID, Version: '2016-11-15' });
});

test('names the instance and the error of EC2', async () => {
  const refuse = (status: number, code: string) => ({
    status,
    body: `<Response><Errors><Error><Code>${code}</Code><Message>a reason</Message></Error></Errors></Response>`,
  });
  answer = refuse(400, 'InvalidInstanceID.NotFound');
  await expect(read()).rejects.toThrow(
    `EC2 refused DescribeInstanceStatus for instance ${ID} with InvalidInstanceID.NotFound: a reason`,
  );
  answer = refuse(503, 'RequestLimitExceeded');
  await expect(read()).rejects.toThrow('RequestLimitExceeded');
});

test('refuses a response without a list of instances', async () => {
  answer = { body: '<html></html>' };
  await expect(read()).rejects.toThrow(`does not describe instance ${ID}`);
});
