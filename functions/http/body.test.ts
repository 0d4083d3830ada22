import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { getRequestListener } from '@hono/node-server';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { INBOUND_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import { service, useService } from '../testing/fixture.ts';
import { BODY_LIMIT_BYTES } from './body.ts';
import { aHttp, CLIENT, EVALUATE, GUARDED, LIVENESS, type TestHttp, TRACK } from './testing/http.ts';

useService();

let http: TestHttp;
beforeEach(() => {
  http = aHttp();
});

const TAKING = GUARDED.flatMap(([path, _, body]) => (body === undefined ? [] : [[path, body] as const]));
const tooLarge = { message: 'the body is larger than the limit of 1048576 bytes: send less at once' };
/** JSON of exactly so many bytes, as blanks behind it count too. */
const padded = (json: string, bytes: number) => json.padEnd(bytes, ' ');

/** A body that never ends, in chunks; tells how many bytes of it were taken. */
function endless() {
  let taken = 0;
  const chunk = new Uint8Array(64 * 1024).fill(' '.charCodeAt(0));
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        taken += chunk.length;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, taken: () => taken };
}

const post = (path: string, body: string | ReadableStream, headers: Record<string, string> = {}) => {
  const authorization = service.secrets.client.value;
  const init = { method: 'POST', headers: { authorization, ...headers }, body, duplex: 'half' as const };
  return http.app.request(path, init);
};

describe.each(TAKING)('a body for %s', (path, least) => {
  test('is taken up to the limit', async () => {
    expect((await post(path, padded(least, BODY_LIMIT_BYTES))).status).toBe(200);
    expect((await post(path, new Blob([padded(least, BODY_LIMIT_BYTES)]).stream())).status).toBe(200);
  });

  test('over the limit is refused with the limit', async () => {
    const response = await post(path, padded(least, BODY_LIMIT_BYTES + 1));
    expect([response.status, await response.json()]).toEqual([413, tooLarge]);
  });

  test('that says it is over the limit is refused unread', async () => {
    const { stream, taken } = endless();
    expect((await post(path, stream, { 'content-length': String(BODY_LIMIT_BYTES + 1) })).status).toBe(413);
    expect(taken()).toBe(0);
  });

  test('of unknown length is read up to the limit, and no further', async () => {
    const { stream, taken } = endless();
    const response = await post(path, stream, { 'transfer-encoding': 'chunked' });
    expect([response.status, await response.json()]).toEqual([413, tooLarge]);
    expect(taken()).toBeLessThanOrEqual(BODY_LIMIT_BYTES + 2 * 64 * 1024);
  });

  test('is not read for a caller without a secret', async () => {
    const { stream, taken } = endless();
    expect((await post(path, stream, { authorization: '' })).status).toBe(401);
    expect(taken()).toBe(0);
  });
});

describe('a user', () => {
  const userOf = (bytes: number) => {
    const user = (value: string) => ({ keyId: 'u', name: null, customizedProperties: [{ name: 'a', value }] });
    return user('x'.repeat(bytes - JSON.stringify(user('')).length));
  };

  test.each([
    [CLIENT, (user: object) => user],
    [EVALUATE, (user: object) => ({ user })],
  ])('of more than streaming takes is refused by %s with the limit', async (path, bodyOf) => {
    const ask = (bytes: number) => http.ask(path, { body: bodyOf(userOf(bytes)) });
    expect((await ask(INBOUND_LIMIT_BYTES)).status).toBe(200);
    const response = await ask(INBOUND_LIMIT_BYTES + 1);
    const message = 'the user takes 32769 bytes; the limit is 32768: leave out attributes that no flag uses';
    expect([response.status, await response.json()]).toEqual([413, { message }]);
  });
});

describe('on a socket', () => {
  let server: Server;
  beforeEach(async () => {
    server = createServer(getRequestListener(http.app.fetch));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Sends a request whose body goes on until it is answered, and never ends. @returns all that the server said */
  async function pour(path: string, headers: readonly string[]): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    socket.write([`POST ${path} HTTP/1.1`, 'host: x', 'transfer-encoding: chunked', ...headers, '', ''].join('\r\n'));
    const pouring = () => {
      while (socket.bytesRead === 0 && socket.writable && socket.write(chunk));
    };
    socket.on('drain', pouring);
    pouring();
    return text(socket).catch(() => '');
  }

  test('a body that never ends is answered, and the connection ended', async () => {
    const answer = await pour(TRACK, [`authorization: ${service.secrets.client.value}`]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain(tooLarge.message);
  });

  test.each([
    [TRACK, 401],
    [LIVENESS, 405],
    ['/nothing', 401],
  ])('without a secret too: %s is %i', async (path, status) => {
    expect(await pour(path, [])).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});
