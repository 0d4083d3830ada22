import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { environmentOf } from '../../shared/store/testing/testTables.ts';
import { Usage } from '../../shared/store/usage/usage.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { startFirehose, type TestFirehose } from '../http/testing/firehose.ts';
import { CLIENT, LIVENESS, READINESS, SERVER, TRACK } from '../http/testing/http.ts';
import { database, output, service, useService } from '../testing/fixture.ts';

useService();

const before = { ...process.env };
let firehose: TestFirehose;
type Handler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;
let onTable: Handler;
let handler: Handler;

/** The handler of a new instance. */
async function load(table: string): Promise<Handler> {
  process.env['FLAGS_TABLE'] = table;
  jest.resetModules();
  return (await import('./http.ts')).handler as Handler;
}

beforeAll(async () => {
  firehose = await startFirehose();
  const { client, flags } = database.open(systemEffects).tables;
  Object.assign(process.env, await environmentOf(client), {
    AWS_ENDPOINT_URL_FIREHOSE: firehose.url,
    INSIGHT_STREAM: 'Insight',
  });
  onTable = await load(flags);
});
afterAll(async () => {
  process.env = before;
  await firehose.close();
});
beforeEach(() => {
  handler = onTable;
  firehose.clear();
});

interface Ask {
  readonly method?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

/** An HTTP API event in API Gateway's form: header names in lower case, and no body if the request has none. */
function ask(path: string, { method, query = '', headers = {}, body, isBase64Encoded = false }: Ask = {}) {
  return handler({
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    headers: { host: 'api.example', authorization: service.secrets.client.value, ...headers },
    isBase64Encoded,
    ...(body === undefined ? {} : { body }),
    requestContext: {
      accountId: '0',
      apiId: 'api',
      domainName: 'api.example',
      domainPrefix: 'api',
      http: {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        path,
        protocol: '',
        sourceIp: '',
        userAgent: '',
      },
      requestId: 'r',
      routeKey: '$default',
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
  });
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const put = (key: string, description = '') =>
  service.store.documents.writeFlag(service.envId, key, () => aFlag({ key, description }));
const asServer = (more: Ask = {}) =>
  ask(SERVER, { ...more, headers: { authorization: service.secrets.server.value, ...more.headers } });

describe('an event', () => {
  test('is answered in API Gateway’s form', async () => {
    await put('f', 'ü');
    const answer = await asServer();
    expect(answer).toMatchObject({
      statusCode: 200,
      isBase64Encoded: false,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    expect(JSON.parse(answer.body ?? '').data).toMatchObject({
      eventType: 'full',
      featureFlags: [{ key: 'f', description: 'ü' }],
    });
  });

  test('may carry its body as text or in base64', async () => {
    const text = '{"keyId":"ü 世界"}';
    for (const body of [{ body: text }, { body: base64(text), isBase64Encoded: true }]) {
      const answer = await ask(CLIENT, body);
      expect(JSON.parse(answer.body ?? '').data.userKeyId).toBe('ü 世界');
    }
  });

  test.each([
    ['base64 that is not said to be it', { body: base64('{"keyId":"u1"}') }],
    ['bytes that are no text', { body: randomBytes(64).toString('base64'), isBase64Encoded: true }],
    ['no body', { method: 'POST' }],
    ['an empty body', { body: '' }],
  ])('is a bad request with %s', async (_, event) => {
    expect((await ask(CLIENT, event)).statusCode).toBe(400);
  });

  test('may say its cursor in its query', async () => {
    const [written] = await put('f');
    expect(await asServer({ query: `timestamp=${written?.updatedAt}` })).toMatchObject({ statusCode: 200, body: '' });
    expect(await asServer({ query: 'timestamp=%00' })).toMatchObject({ statusCode: 400 });
  });

  test('gets a large answer compressed, in base64', async () => {
    await put('f', 'x'.repeat(200_000));
    const answer = await asServer({ headers: { 'accept-encoding': 'gzip' } });
    expect(answer).toMatchObject({ isBase64Encoded: true, headers: { 'content-encoding': 'gzip' } });
    const text = gunzipSync(Buffer.from(answer.body ?? '', 'base64')).toString();
    expect(JSON.parse(text).data.featureFlags).toHaveLength(1);
  });

  test.each([
    ['letters beyond ASCII in headers', { headers: { 'x-user-agent': 'ü 世界', authorization: 'ü' } }],
    ['no secret', { headers: { authorization: '' } }],
    ['a path with a scheme', { path: '//evil.example/x', headers: { authorization: '' } }],
  ])(
    'is refused with %s',
    async (_, { path = SERVER, headers }: { path?: string; headers: Record<string, string> }) => {
      expect(await ask(path, { headers })).toMatchObject({
        statusCode: 401,
        body: '{"message":"missing or malformed secret"}',
      });
    },
  );
});

describe('the parts', () => {
  test('insights reach the stream', async () => {
    const body = '[{"user":{"keyId":"u1"}},{"user":{"keyId":"u2"}}]';
    expect(await ask(TRACK, { body: base64(body), isBase64Encoded: true })).toMatchObject({
      statusCode: 200,
      body: '',
    });
    expect(
      firehose.taken.flatMap((record) =>
        record
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    ).toMatchObject([
      { envId: service.envId, user: { keyId: 'u1' } },
      { envId: service.envId, user: { keyId: 'u2' } },
    ]);
  });

  test('evaluations of events are counted before the answer', async () => {
    const { client, flags, usage } = database.open(systemEffects).tables;
    process.env['USAGE_TABLE'] = usage;
    handler = await load(flags);
    delete process.env['USAGE_TABLE'];
    const [written] = await service.store.documents.writeFlag(service.envId, 'f', () => aFlag({ key: 'f' }));
    expect(written).toBeDefined();
    const event = { featureFlagKey: 'f', variation: { id: 'on', value: 'true' } };
    const body = JSON.stringify([{ user: { keyId: 'u1' }, variations: [event, event] }]);
    expect((await ask(TRACK, { body })).statusCode).toBe(200);
    const counted = new Usage({ client, name: usage, effects: systemEffects });
    const hours = [];
    for await (const { counts } of counted.hours(service.envId, 'f', 0)) hours.push(Object.fromEntries(counts));
    expect(hours).toEqual([{ on: 2 }]);
    expect(await counted.startedAt(service.envId)).toBeGreaterThan(0);
  });

  test('readiness asks the table, liveness does not', async () => {
    expect((await ask(READINESS)).statusCode).toBe(200);
    handler = await load('Elsewhere');
    const unready = { statusCode: 503, body: 'Unhealthy', headers: { 'retry-after': '1' } };
    expect(await ask(READINESS)).toMatchObject(unready);
    expect((await ask(LIVENESS)).statusCode).toBe(200);
    expect(output.lines()).toEqual([expect.objectContaining({ level: 'ERROR', message: 'not ready' })]);
  });

  test('say 503 without a table, and no secret', async () => {
    handler = await load('Elsewhere');
    expect(await asServer()).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
    expect(output.text()).toContain('request failed');
    expect(output.text()).not.toContain(service.secrets.server.value.slice(0, 22));
  });
});
