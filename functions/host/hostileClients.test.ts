import { once } from 'node:events';
import { connect } from 'node:net';
import { constants, deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { clientFrame } from '../../dev/emulator/websocket/frames.ts';
import { encodeToken } from '../../shared/protocol/token.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { until } from '../../shared/testing/until.ts';
import { service, useService } from '../testing/fixture.ts';
import { MOST_PIPELINED } from './budgets/clientBudgets.ts';
import type { Host } from './host.ts';
import { isBun } from './server/listen.ts';
import { textFrame } from './testing/clientFrames.ts';
import { startTestHost } from './testing/host.ts';
import { RawClient } from './testing/rawClient.ts';

useService();

let host: Host;
let clients: RawClient[];

const start = (settings = {}) => startTestHost(() => false, { settings });
beforeEach(async () => {
  clients = [];
  host = await start();
});
afterEach(async () => {
  for (const { socket } of clients) socket.destroy();
  await host.stop();
});

const mask = Uint8Array.of(1, 2, 3, 4);
const PING = '{"messageType":"ping","data":null}';
const get = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\n${['Host: h', ...headers].join('\r\n')}\r\n\r\n`;
/** A request for all flags. */
function ofrep(): string {
  const body = '{"context":{"targetingKey":"u1"}}';
  const head = ['Host: h', `X-API-Key: ${service.secrets.client.value}`, `Content-Length: ${body.length}`];
  return `POST /ofrep/v1/evaluate/flags HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`;
}
const streamPath = () => `/ofrep/v1/event-stream?key=${service.secrets.client.value}`;

function client(): RawClient {
  const made = new RawClient(host.port);
  clients.push(made);
  return made;
}

/** A WebSocket with the client's key. */
async function open(...headers: string[]): Promise<RawClient> {
  const token = encodeToken(service.secrets.client.value, service.effects.now(), 7);
  const made = await RawClient.open(host.port, headers, `/streaming?type=client&token=${token}`);
  clients.push(made);
  return made;
}

/** The statuses of the responses that a client has. */
const statuses = ({ text }: RawClient) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

/** A counter, or the number of connections. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${host.port}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}
const overBudget = (limit: string) => metric(`flagwire_over_budget_total{limit="${limit}"}`);

/** The code of the close frame at the end of what a client has. */
const closeCode = ({ frames }: RawClient) => frames.readUInt16BE(frames.lastIndexOf(Buffer.from([0x88, 2 + 17])) + 2);

const floods: [string, () => Buffer, string?][] = [
  ['messages', () => textFrame(PING)],
  ['ignored messages', () => textFrame('x'.repeat(40_000))],
  ['pings of the protocol', () => clientFrame({ first: 0x89, payload: Buffer.from('p'), mask })],
  ['pongs of the protocol', () => clientFrame({ first: 0x8a, payload: Buffer.alloc(0), mask })],
  ['empty messages', () => textFrame('')],
];
if (isBun) {
  const text = `{"messageType":"echo","data":[${'[],'.repeat(10_000)}[]]}`;
  const payload = deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
  floods.push([
    'compressed messages',
    () => clientFrame({ first: 0xc1, payload, mask }),
    'Sec-WebSocket-Extensions: permessage-deflate',
  ]);
}

describe('a flood on a WebSocket', () => {
  test.each(floods)('a flood of %s is closed with 1008 and not read further', async (_, frame, ...headers) => {
    const flooding = await open(...headers.filter((header) => header !== undefined));
    const before = await metric('flagwire_messages_total');
    flooding.write(Buffer.concat(Array<Buffer>(5_000).fill(frame())));
    await flooding.ended;
    expect(closeCode(flooding)).toBe(1008);
    expect(await overBudget('messages')).toBe(1);
    expect((await metric('flagwire_messages_total')) - before).toBeLessThanOrEqual(201);
    await until(async () => (await metric('flagwire_connections')) === 0);
  });

  test('a flood of binary frames is closed with 1003 and not read further', async () => {
    const flooding = await open();
    const frame = clientFrame({ first: 0x82, payload: Buffer.alloc(100_000), mask });
    flooding.write(Buffer.concat(Array<Buffer>(100).fill(frame)));
    await flooding.ended;
    expect(flooding.frames.readUInt16BE(2)).toBe(1003);
  });
});

describe('requests that a client sends before it has read', () => {
  test.each([
    ['with the key', ofrep],
    ['without a key', () => get('/ofrep/v1/evaluate/flags')],
    ['to unknown paths', () => get('/none')],
    ['for metrics', () => get('/metrics')],
    ['for preflights', () => 'OPTIONS /x HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['with bodies', () => 'POST /api/public/insight/track HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n[]'],
  ])('%s get 429 after some, and the socket is closed', async (_, request) => {
    await fetch(`http://127.0.0.1:${host.port}/health/readiness`);
    const flooding = client();
    flooding.write(request().repeat(2_000));
    await flooding.ended;
    const found = statuses(flooding);
    expect(found.filter((status) => status !== 429).length).toBeLessThanOrEqual(MOST_PIPELINED);
    // Bun ends a socket that sends the next request while it waits for the table.
    if (!isBun || found.length === MOST_PIPELINED + 1) {
      expect(found.at(-1)).toBe(429);
      await until(async () => (await overBudget('pipelining')) === 1);
      expect(flooding.text).toMatch(/retry-after: 1\r\n/i);
    }
  });

  test('are answered in order if they are few', async () => {
    const few = client();
    const paths = ['/health/liveness', '/none', '/metrics', '/health/liveness'];
    few.write(paths.map((path) => get(path)).join(''));
    await until(() => statuses(few).length === paths.length);
    expect(statuses(few)).toEqual([200, 401, 200, 200]);
  });

  test('hold no memory while the client reads nothing', async () => {
    const description = 'x'.repeat(50_000);
    await service.store.documents.writeFlag(service.envId, 'large', () =>
      aFlag({ key: 'large', description, variations: [{ id: 'v', name: 'v', value: description }] as never }),
    );
    const flooding = connect({ port: host.port, host: '127.0.0.1' });
    clients.push({ socket: flooding } as RawClient);
    await once(flooding.pause(), 'connect');
    const before = process.memoryUsage().rss;
    for (let n = 0; n < 20; n++) flooding.write(ofrep().repeat(500));
    for (let n = 0; n < 50; n++) await fetch(`http://127.0.0.1:${host.port}/health/liveness`);
    expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(200);
    flooding.on('error', () => {});
  });
});

describe('event streams', () => {
  test('get 503 when there are too many connections, as handshakes do', async () => {
    await host.stop();
    host = await start({ maxConnections: 2 });
    // Bun sends the head of a stream with its first event.
    await service.store.documents.writeFlag(service.envId, 'f', () => aFlag({ key: 'f' }));
    const abort = new AbortController();
    const url = `http://127.0.0.1:${host.port}${streamPath()}`;
    // Bun ends the connection of a response that is garbage.
    const streams = [await fetch(url, { signal: abort.signal }), await fetch(url)];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    await until(async () => (await metric('flagwire_connections')) === 2);
    const refused = client();
    refused.write(get(streamPath()));
    await refused.until((text) => text.includes('\r\n\r\n'));
    expect(refused.text).toMatch(/^HTTP\/1\.1 503 (.*\r\n)*retry-after: 1\r\n/i);
    await expect(open()).resolves.toMatchObject({ text: expect.stringMatching(/^HTTP\/1\.1 503 /) });
    abort.abort();
    await until(async () => (await metric('flagwire_connections')) === 1);
    const accepted = client();
    accepted.write(get(streamPath()));
    await accepted.until((text) => text.includes('\r\n\r\n'));
    expect(accepted.text).toMatch(/^HTTP\/1\.1 200 /);
    await streams[1]?.body?.cancel();
  });

  test('are one for each socket', async () => {
    const flooding = client();
    flooding.write(get(streamPath()).repeat(600));
    await until(
      async () => (await overBudget('pipelining')) === 1 || flooding.socket.destroyed || flooding.socket.readableEnded,
    );
    expect(await metric('flagwire_connections')).toBeLessThanOrEqual(1);
    expect((await open()).text).toMatch(/^HTTP\/1\.1 101 /);
  });
});

describe('an address', () => {
  const from = (address: string) => `X-Forwarded-For: ${address}`;
  const statusOf = async (request: string) => {
    const each = client();
    each.write(request);
    await each.until((text) => text.includes('\r\n\r\n'));
    return statuses(each)[0];
  };

  test('holds at most half of the connections, and takes none from others', async () => {
    await host.stop();
    host = await start({ maxConnections: 4, trustedProxies: 1 });
    const status = async (address: string) => statuses(await open(from(address)))[0];
    expect([await status('192.0.2.1'), await status('192.0.2.1'), await status('192.0.2.1')]).toEqual([101, 101, 503]);
    expect(await statusOf(get(streamPath(), from('192.0.2.1')))).toBe(503);
    expect(await status('192.0.2.2')).toBe(101);
    expect(await overBudget('address connections')).toBe(2);
  });

  test('has a budget for its messages and requests together', async () => {
    await host.stop();
    host = await start({ maxMessagesPerSecond: 5, budgetsPerAddress: 1, trustedProxies: 1 });
    const found: (number | undefined)[] = [];
    for (let n = 0; n < 60 && found.at(-1) !== 429; n++) found.push(await statusOf(get('/none', from('192.0.2.1'))));
    expect(found.length).toBeGreaterThan(50);
    expect(found.slice(-2)).toEqual([401, 429]);
    expect(await statusOf(get('/none', from('192.0.2.2')))).toBe(401);
    const connected = await open(from('192.0.2.1'));
    connected.write(textFrame('x'.repeat(4_000)));
    await connected.ended;
    expect(closeCode(connected)).toBe(1008);
    expect([await overBudget('address requests'), await overBudget('address messages')]).toEqual([1, 1]);
  });

  test('is not taken from a header where no proxy is trusted', async () => {
    await host.stop();
    host = await start({ maxMessagesPerSecond: 5, budgetsPerAddress: 1 });
    for (let n = 0; n < 60; n++) expect(await statusOf(get('/none', from('192.0.2.1')))).toBe(401);
  });
});
