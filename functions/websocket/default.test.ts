import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { createDefault } from './default.ts';

let output: CapturedOutput;
beforeAll(() => {
  output = captureOutput();
});
afterAll(() => output.release());

const synced: string[] = [];
const handler = createDefault(async ({ body = '' }) => {
  synced.push(body);
  return { statusCode: 200, body: 'an answer' };
});

const send = (body?: string) =>
  handler({
    ...(body === undefined ? {} : { body }),
    requestContext: { connectionId: 'c', routeKey: '$default', requestTimeEpoch: 0 },
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
    ['an echo without data', '{"messageType":"echo"}', 'lacks'],
    ['nothing', '', 'not JSON'],
    ['no body', undefined, 'not JSON'],
    ['no JSON', 'echo', 'not JSON'],
    ['binary', 'AAECAwQ=', 'not JSON'],
    ['a list', '[]', 'not a JSON object'],
    ['a message nested deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'bytes'],
    ['a polluted message', '{"__proto__":{"messageType":"echo","data":1}}', 'lacks'],
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
