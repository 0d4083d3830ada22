import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { getRequestListener } from '@hono/node-server';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { INBOUND_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import { service, useService } from '../testing/fixture.ts';
import { BODY_LIMIT_BYTES, type BodyRefusal, type BodyReservation } from './body.ts';
import { aHttp, CLIENT, EVALUATE, GUARDED, LIVENESS, type TestHttp, TRACK } from './testing/http.ts';

useService();

let http: TestHttp;
beforeEach(() => {
  http = aHttp();
});

const TAKING = GUARDED.flatMap(([path, _, body]) => (body === undefined ? [] : [[path, body] as const]));
const tooLarge = { message: 'the body is larger than the limit of 1048576 bytes; send less in one request' };
/** JSON of an exact size in bytes. Trailing blanks count too. */
const padded = (json: string, bytes: number) => json.padEnd(bytes, ' ');

/** An endless body in chunks. It reports the number of bytes read. */
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

  test('is refused with the limit above it', async () => {
    const response = await post(path, padded(least, BODY_LIMIT_BYTES + 1));
    expect([response.status, await response.json()]).toEqual([413, tooLarge]);
  });

  test('is refused unread if it announces more than the limit', async () => {
    const { stream, taken } = endless();
    expect((await post(path, stream, { 'content-length': String(BODY_LIMIT_BYTES + 1) })).status).toBe(413);
    expect(taken()).toBe(0);
  });

  test('is read only up to the limit if its length is unknown', async () => {
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

describe('the room of a body', () => {
  /** The reserved bytes of each body, and how often its memory was released. */
  let taken: number[] = [];
  let released = 0;
  let refuse: (refusal: BodyRefusal) => void;
  /** Available bytes. */
  let room = Number.POSITIVE_INFINITY;

  beforeEach(() => {
    taken = [];
    released = 0;
    room = Number.POSITIVE_INFINITY;
    http = aHttp({ bodies: { open } });
  });

  function open(): BodyReservation {
    const refused = new Promise<BodyRefusal>((resolve) => {
      refuse = resolve;
    });
    const take = (bytes: number) => {
      taken.push(bytes);
      room -= bytes;
      if (room < 0) refuse({ status: 429, message: 'full' });
      return room >= 0;
    };
    return { refused, take, received: () => taken.push(0), release: () => void released++ };
  }

  const sum = () => taken.reduce((all, bytes) => all + bytes, 0);

  test.each(TAKING)(
    'is taken as it is announced or comes, and released once it is answered: %s',
    async (path, least) => {
      for (const bytes of [least.length, 16 * 1024, 16 * 1024 + 1]) {
        const body = padded(least, bytes);
        expect((await post(path, body, { 'content-length': String(bytes) })).status).toBe(200);
        expect((await post(path, new Blob([body]).stream())).status).toBe(200);
        expect([sum(), taken.at(-1), released]).toEqual([2 * bytes, 0, 2]);
        taken = [];
        released = 0;
      }
      expect((await post(path, 'no JSON', { 'content-length': '7' })).status).toBe(400);
      expect([sum(), released]).toEqual([7, 1]);
    },
  );

  test.each(TAKING)('is refused in time if there is none, or if it is taken away: %s', async (path) => {
    const refusals = async (asked: Response | Promise<Response>) => {
      const response = await asked;
      const { status, headers } = response;
      return [status, headers.get('retry-after'), headers.get('connection'), await response.json(), released];
    };
    room = 1_000;
    expect(await refusals(post(path, 'x'.repeat(1_001), { 'content-length': '1001' }))).toEqual([
      429,
      '1',
      'close',
      { message: 'full' },
      1,
    ]);
    room = 1_000_000;
    const { stream, taken: read } = endless();
    expect(await refusals(post(path, stream))).toEqual([429, '1', 'close', { message: 'full' }, 2]);
    expect(read()).toBeLessThan(room + 1_000_000 + 3 * 64 * 1024);
    room = Number.POSITIVE_INFINITY;
    const { promise: isCancelled, resolve: cancel } = Promise.withResolvers<unknown>();
    const late = post(path, new ReadableStream({ pull: () => refuse({ status: 408, message: 'late' }), cancel }));
    expect(await refusals(late)).toEqual([408, '1', 'close', { message: 'late' }, 3]);
    await isCancelled;
  });

  test('is refused unread if it announces more than there is room for', async () => {
    room = 999_999;
    const { stream, taken: read } = endless();
    expect((await post(TRACK, stream, { 'content-length': '1000000' })).status).toBe(429);
    expect([taken, read()]).toEqual([[1_000_000], 0]);
  });

  test('is not opened without a secret, nor for a body that announces too much', async () => {
    expect((await post(TRACK, '[]', { authorization: '' })).status).toBe(401);
    expect((await post(TRACK, '[]', { 'content-length': String(BODY_LIMIT_BYTES + 1) })).status).toBe(413);
    expect([taken, released]).toEqual([[], 0]);
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
  ])('is refused by %s with the limit if it is larger than in streaming', async (path, bodyOf) => {
    const ask = (bytes: number) => http.ask(path, { body: bodyOf(userOf(bytes)) });
    expect((await ask(INBOUND_LIMIT_BYTES)).status).toBe(200);
    const response = await ask(INBOUND_LIMIT_BYTES + 1);
    const message = 'the user takes 32769 bytes; the limit is 32768. Leave out attributes that no flag uses';
    expect([response.status, await response.json()]).toEqual([413, { message }]);
  });
});

describe('a body on a socket', () => {
  let server: Server;
  beforeEach(async () => {
    server = createServer(getRequestListener(http.app.fetch));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Sends an endless body until the response arrives. @returns all received text */
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

  test('is answered if it never ends, and the connection is ended', async () => {
    const answer = await pour(TRACK, [`authorization: ${service.secrets.client.value}`]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain(tooLarge.message);
  });

  test.each([
    [TRACK, 401],
    [LIVENESS, 405],
    ['/nothing', 401],
  ])('is answered without a secret too: %s is %i', async (path, status) => {
    expect(await pour(path, [])).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});
