import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { createDefault } from './default.ts';

let output: CapturedOutput;
beforeAll(() => {
  output = captureOutput();
});
afterAll(() => output.release());

const synced: string[] = [];
let now = 0;
let handler: ReturnType<typeof createDefault>;
beforeEach(() => {
  now = 1_000_000;
  handler = createDefault(
    async ({ body = '' }) => {
      synced.push(body);
      return { statusCode: 200, body: 'an answer' };
    },
    () => now,
  );
});

const send = (body?: string, connectionId = 'c') =>
  handler({
    ...(body === undefined ? {} : { body }),
    requestContext: { connectionId, routeKey: '$default', requestTimeEpoch: 0 },
  });

describe('an echo', () => {
  test.each([
    '{"messageType":"echo","data":7}',
    '{"messageType":"echo","data":null}',
    '{"data":{"a":[1,"é💥"]},"messageType":"ECHO"}',
    '{ "messageType" : "echo",\n "data" : "" }',
  ])('%s comes back as it was sent', async (body) => {
    expect(await send(body)).toEqual({ statusCode: 200, body });
  });
});

describe('a type in other letter case than API Gateway compares', () => {
  test.each(['PING', 'Ping', 'ping'])('%s is answered as a ping', async (type) => {
    expect(await send(`{"messageType":"${type}","data":null}`)).toEqual({
      statusCode: 200,
      body: '{"messageType":"pong","data":{}}',
    });
  });

  test.each(['DATA-SYNC', 'Data-Sync'])('%s is answered as a data-sync', async (type) => {
    const body = `{"messageType":"${type}","data":{}}`;
    expect(await send(body)).toEqual({ statusCode: 200, body: 'an answer' });
    expect(synced.at(-1)).toBe(body);
  });
});

describe('anything else', () => {
  test.each([
    ['an unknown type', '{"messageType":"rp-agent-status","data":{}}', 'unknown type'],
    ['an echo without data', '{"messageType":"echo"}', 'has no'],
    ['nothing', '', 'not JSON'],
    ['no body', undefined, 'not JSON'],
    ['no JSON', 'echo', 'not JSON'],
    ['binary', 'AAECAwQ=', 'not JSON'],
    ['a list', '[]', 'not a JSON object'],
    ['a message nested deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'bytes'],
    ['a polluted message', '{"__proto__":{"messageType":"echo","data":1}}', 'has no'],
  ])('(%s) is noted and gets silence', async (_, body, reason) => {
    output.clear();
    expect(await send(body)).toEqual({ statusCode: 200 });
    expect(output.lines()).toEqual([
      expect.objectContaining({
        message: 'message ignored',
        reason: expect.stringContaining(reason),
        connectionId: 'c',
      }),
    ]);
  });

  test('is not quoted in the log', async () => {
    output.clear();
    await send('{"messageType":"hunter2","data":"hunter2"}');
    await send('hunter2');
    expect(output.text()).not.toContain('hunter2');
  });
});

describe('a loud connection', () => {
  const echo = '{"messageType":"echo","data":1}';
  const answered = async (body: string, times: number, connectionId = 'c') => {
    const results = await Promise.all(Array.from({ length: times }, () => send(body, connectionId)));
    return results.filter((result) => result.body !== undefined).length;
  };

  test('is answered twenty times at once and then once a second, another one as before', async () => {
    expect(await answered(echo, 15)).toBe(15);
    expect(await answered('{"messageType":"PING","data":null}', 15)).toBe(5);
    expect(await answered(echo, 1, 'd')).toBe(1);
    now += 2_000;
    expect(await answered(echo, 15)).toBe(2);
  });

  test('fills no log: ten lines a minute, and then how many were left out', async () => {
    output.clear();
    for (let n = 0; n < 100; n++) await send('{"messageType":"unknown"}', `c${n}`);
    expect(output.lines()).toHaveLength(10);
    now += 60_000;
    await send('{"messageType":"unknown"}');
    expect(output.lines()).toContainEqual(expect.objectContaining({ kind: 'message ignored', count: 90 }));
  });
});
