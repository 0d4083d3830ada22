import { once } from 'node:events';
import { get } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { WebSocket } from 'ws';
import { freePort } from '../../dev/support/freePort.ts';
import { RawSocket } from '../../dev/support/rawSocket.ts';
import { encodeToken } from '../../shared/protocol/token.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { until } from '../../shared/testing/until.ts';
import { output, service, useService } from '../testing/fixture.ts';
import { dataSync } from '../testing/service.ts';
import type { Host } from './host.ts';
import { isBun } from './server/listen.ts';
import { textFrame } from './testing/clientFrames.ts';
import { startTestHost } from './testing/host.ts';
import { RawClient, upgradeRequest } from './testing/rawClient.ts';

useService();

let host: Host;
let isDown = false;
let sockets: { terminate(): void }[] = [];

const start = (settings = {}) => startTestHost(() => isDown, { settings });

beforeEach(async () => {
  isDown = false;
  sockets = [];
  host = await start();
});
afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  await host.stop();
});

const put = (key: string, description = '') =>
  service.store.documents.writeFlag(service.envId, key, () => aFlag({ key, description }));
/** Flags with a total size in megabytes. */
const putLarge = (megabytes: number) =>
  service.store.documents.import(
    service.envId,
    Array.from({ length: megabytes * 8 }, (_, n) => ({
      kind: 'flag' as const,
      document: aFlag({ key: `large-${n}`, description: 'x'.repeat(128 * 1024) }),
    })),
  );
const urlOf = (path: string) => `http://127.0.0.1:${host.port}${path}`;
const status = async (path: string) => (await fetch(urlOf(path))).status;
const metric = async (name: string) =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await fetch(urlOf('/metrics'))).text())?.[1]);

/** The head of the response to raw bytes. */
async function answerTo(request: string, port = host.port): Promise<string> {
  const tcp = connectTcp(port, '127.0.0.1');
  sockets.push({ terminate: () => tcp.destroy() });
  tcp.write(request);
  let answer = '';
  tcp.on('data', (chunk) => {
    answer += chunk;
  });
  await until(() => answer.includes('\r\n\r\n'));
  return answer;
}

const track = (body: string) => {
  const headers = { authorization: service.secrets.client.value };
  return fetch(urlOf('/api/public/insight/track'), { method: 'POST', headers, body });
};

async function open(path = '/streaming', type: 'client' | 'server' = 'server') {
  const token = encodeToken(service.secrets[type].value, service.effects.now(), 7);
  const client = connect(`${path}?type=${type}&token=${token}`);
  await client.opened;
  return client;
}

function connect(path: string): RawSocket {
  const client = new RawSocket(`ws://127.0.0.1:${host.port}${path}`);
  sockets.push(client);
  return client;
}

describe('the port', () => {
  test('takes WebSockets at /streaming, in any letter case and deeper, and nowhere else', async () => {
    for (const path of ['/streaming', '/Streaming', '/streaming/deeper']) await open(path);
    await expect(open('/elsewhere')).rejects.toThrow('404');
    expect(await status('/streaming')).toBe(401);
    expect(await metric('flagwire_connections')).toBe(3);
  });

  test('is ready once the table has answered, and stays ready', async () => {
    isDown = true;
    expect([await status('/health/liveness'), await status('/health/readiness')]).toEqual([200, 503]);
    isDown = false;
    expect(await status('/health/readiness')).toBe(200);
    isDown = true;
    expect(await status('/health/readiness')).toBe(200);
  });

  test('answers HTTP by its names only where it has some, also for metrics', async () => {
    const metricsPort = await freePort();
    for (const [settings, expected] of [
      [{}, 200],
      [{ hostNames: ['localhost'] }, 403],
    ] as const) {
      await host.stop();
      host = await start({ ...settings, metricsPort });
      const by = async (name: string, path: string, port = host.port) =>
        Number((await answerTo(`GET ${path} HTTP/1.1\r\nHost: ${name}\r\n\r\n`, port)).slice(9, 12));
      expect(await by('localhost:5200', '/health/liveness')).toBe(200);
      expect(await by('evil.example', '/health/liveness')).toBe(expected);
      expect(await by('evil.example', '/metrics', metricsPort)).toBe(expected);
    }
  });

  test('is not ready after too long an outage of the table, with and without connections', async () => {
    await host.stop();
    host = await start({ maxTableOutageMs: 100 });
    await until(async () => (await status('/health/readiness')) === 200);
    for (const connects of [false, true]) {
      if (connects) await open();
      isDown = true;
      await until(async () => (await status('/health/readiness')) === 503);
      expect(await status('/health/liveness')).toBe(200);
      isDown = false;
      await until(async () => (await status('/health/readiness')) === 200);
    }
  });

  test.each([
    ['for another protocol than WebSocket', 'HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c'],
    ['by HTTP/1.0 without a Host, as a balancer’s checks do', 'HTTP/1.0'],
  ])('answers what asks %s as if it did not', async (_, rest) => {
    expect(await answerTo(`GET /health/liveness ${rest}\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  });

  test.each(["12'.0.0.1", '999.1.1.1', 'host:80:80', '%', '[', 'a b', ''])(
    'refuses who calls it by an impossible name, as "%s"; by none, it answers',
    async (name) => {
      const head = `POST /ofrep/v1/evaluate/flags/none HTTP/1.1\r\nHost: ${name}\r\nX-API-Key: ${service.secrets.client.value}\r\nContent-Length: 2`;
      expect(await answerTo(`${head}\r\n\r\n{}`)).toMatch(/^HTTP\/1.1 4\d\d /);
    },
  );

  test('counts HTTP answers by route and status, and shows its metrics to no page', async () => {
    for (const path of ['/health/liveness', '/no/such/path', `/${'x'.repeat(200)}`]) await status(path);
    const response = await fetch(urlOf('/metrics'));
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const counted = [...(await response.text()).matchAll(/^flagwire_http_seconds_count(.+) (\d+)$/gm)].map(
      ([, labels, count]) => `${labels} ${count}`,
    );
    expect(counted.sort()).toEqual(['{route="/health/liveness",status="200"} 1', '{route="other",status="401"} 2']);
    const seconds = await metric('flagwire_http_seconds_sum{route="other",status="401"}'.replace(/[{}]/g, '\\$&'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(100);
  });

  test('counts data-syncs and pushes, and how long they took in seconds', async () => {
    await put('f');
    const client = await open();
    client.send(dataSync(0));
    await until(() => client.texts.length === 1);
    await put('f', 'changed');
    await until(() => client.texts.length === 2);
    await until(() => metric('flagwire_push_seconds_count'));
    expect(await metric('flagwire_sync_seconds_count')).toBe(1);
    // In other units, or as timestamps, the values would be far larger.
    for (const name of ['flagwire_sync_seconds_sum', 'flagwire_push_seconds_sum']) {
      const seconds = await metric(name);
      expect(seconds).toBeGreaterThanOrEqual(0);
      expect(seconds).toBeLessThan(100);
    }
    const reached = await metric('flagwire_table_reached_timestamp_seconds');
    expect(Math.abs(reached - service.effects.now() / 1_000)).toBeLessThan(100);
  });

  test('has its metrics at a port of their own where it is told one, and only there', async () => {
    await host.stop();
    const metricsPort = await freePort();
    host = await start({ metricsPort });
    expect(await status('/metrics')).toBe(401);
    const at = (path: string) => fetch(`http://127.0.0.1:${metricsPort}${path}`);
    expect(await (await at('/metrics')).text()).toContain('\nflagwire_connections 0\n');
    expect((await at('/health/liveness')).status).toBe(404);
    // It accepts no connections, like the main port while the host stops.
    const refused = await answerTo(upgradeRequest(), metricsPort);
    expect(refused).toMatch(/^HTTP\/1\.1 503 .*\r\n/);
    expect(refused).toMatch(/\r\nRetry-After: 1\r\n/i);
  });

  test('has no metrics where it speaks TLS, because it is then public', async () => {
    await host.stop();
    const file = (name: string) => join(import.meta.dirname, 'testing/tls', name);
    host = await start({ tls: { cert: file('first.crt'), key: file('first.key') } });
    const options = { host: '127.0.0.1', port: host.port, rejectUnauthorized: false, agent: false };
    const statusOf = (path: string) =>
      new Promise((resolve, reject) =>
        get({ ...options, path }, ({ statusCode }) => resolve(statusCode)).on('error', reject),
      );
    expect([await statusOf('/health/liveness'), await statusOf('/metrics')]).toEqual([200, 401]);
  });

  test.each([
    ['/metrics', 'GET, HEAD'],
    ['/ofrep/v1/event-stream', 'GET'],
    ['/health/readiness', 'GET, HEAD'],
  ])('refuses other methods of %s than %s', async (path, allow) => {
    const answer = await fetch(urlOf(path), { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
  });

  test('tells how long an answer is', async () => {
    const user = { keyId: 'u1', name: '', customizedProperties: [] };
    const response = await fetch(urlOf('/api/public/sdk/client/latest-all'), {
      method: 'POST',
      headers: { authorization: service.secrets.client.value },
      body: JSON.stringify(user),
    });
    const { length } = await response.text();
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(length)]);
  });

  test('answers browsers’ preflights', async () => {
    const response = await fetch(urlOf('/api/public/sdk/client/latest-all'), {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toContain('authorization');
  });
});

describe('hostile clients', () => {
  test.each<[string, (socket: WebSocket) => void, number]>([
    ['a message over 128 KB', (socket) => socket.send('x'.repeat(128 * 1024 + 1)), 1009],
    [
      'many small frames of one large message',
      (socket) => {
        for (let n = 0; n < 140; n++) socket.send('x'.repeat(1_024), { fin: n === 139 });
      },
      1009,
    ],
    ['a binary message', (socket) => socket.send(Buffer.from('{}')), 1003],
    ['text that is no UTF-8', (socket) => socket.send(Buffer.from([0xff, 0xfe]), { binary: false }), 1007],
  ])('%s ends that connection only', async (_, send, code) => {
    const [bad, good] = [await open(), await open()];
    send(bad.socket);
    expect(await bad.closed).toMatchObject({ code });
    good.send(dataSync(0));
    await until(() => good.texts.length === 1);
  });

  test.each([
    ['frames without a mask', Buffer.from([0x81, 0x02, 0x7b, 0x7d])],
    ['a reserved opcode', Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
    ['reserved bits', Buffer.from([0xf1, 0x80, 0, 0, 0, 0])],
    ['a control frame in parts', Buffer.from([0x09, 0x80, 0, 0, 0, 0])],
  ])('%s end a connection', async (_, frame) => {
    const tcp = await handshake();
    const closed = new Promise<void>((resolve) => tcp.on('close', () => resolve()));
    tcp.write(frame);
    await closed;
    expect(await status('/health/liveness')).toBe(200);
  });

  test('headers without end, too large or that are no HTTP get nowhere', async () => {
    for (const text of [`GET /streaming HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 'nonsense\r\n\r\n']) {
      const tcp = connectTcp(host.port, '127.0.0.1');
      sockets.push({ terminate: () => tcp.destroy() });
      let answer = '';
      tcp.on('data', (data) => {
        answer += data;
      });
      tcp.write(text);
      await new Promise((resolve) => tcp.on('close', resolve));
      expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
    }
  });

  test.each(['//', '//[', 'http://[', '*', '/%'])(
    'get an answer for a WebSocket at %s, and harm nobody',
    async (path) => {
      const tcp = connectTcp(host.port, '127.0.0.1');
      sockets.push({ terminate: () => tcp.destroy() });
      let answer = '';
      tcp.on('data', (data) => {
        answer += data;
      });
      const headers = 'Host: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
      tcp.write(`GET ${path} HTTP/1.1\r\n${headers}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
      await new Promise((resolve) => tcp.on('close', resolve));
      expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
      expect(await status('/health/liveness')).toBe(200);
    },
  );

  test('are ended if they do not read an HTTP answer, which is given up', async () => {
    await host.stop();
    // Long enough for a busy machine to see what is waiting.
    host = await start({ unreadTimeoutMs: 2_000 });
    for (let n = 0; n < 16; n++) await put(`large-${n}`, 'x'.repeat(1_000_000));
    const tcp = connectTcp(host.port, '127.0.0.1').pause();
    sockets.push({ terminate: () => tcp.destroy() });
    const { value } = service.secrets.server;
    tcp.write(`GET /api/public/sdk/server/latest-all HTTP/1.1\r\nHost: h\r\nAuthorization: ${value}\r\n\r\n`);
    await until(async () => (await metric('flagwire_unsent_bytes')) > 0);
    await until(async () => (await metric('flagwire_unsent_bytes')) === 0);
    let bytes = 0;
    tcp.on('data', (chunk) => {
      bytes += chunk.length;
    });
    tcp.on('error', () => {}).resume();
    await new Promise((resolve) => tcp.on('close', resolve));
    expect(bytes).toBeLessThan(16_000_000);
  });

  test('are ended if they stay silent, but not if they ping', async () => {
    await host.stop();
    // Twenty ping intervals, because a busy machine may be late with some.
    host = await start({ idleTimeoutMs: 2_000 });
    const [silent, alive] = [await open(), await open()];
    const pinging = setInterval(() => alive.send('{"messageType":"ping","data":null}'), 100);
    expect(await silent.closed).toEqual({ code: 1001, reason: 'idle timeout' });
    await until(() => alive.texts.length > 15);
    clearInterval(pinging);
    expect(alive.isOpen).toBe(true);
  });

  test('are cut off if their headers come slowly, and keep nobody from connecting', async () => {
    await host.stop();
    host = await start({ headersTimeoutMs: 2_000 });
    const slow = Array.from({ length: 50 }, () => {
      const tcp = connectTcp(host.port, '127.0.0.1');
      sockets.push({ terminate: () => tcp.destroy() });
      tcp.on('error', () => {});
      tcp.write('GET /streaming HTTP/1.1\r\nx: y\r\n');
      let answer = '';
      tcp.setEncoding('latin1').on('data', (text) => {
        answer += text;
      });
      return new Promise<string>((resolve) => tcp.on('close', () => resolve(answer)));
    });
    const other = await open();
    // Bun closes them without a message after about ten seconds, regardless of the setting.
    for (const answer of await Promise.all(slow)) expect(answer).toMatch(isBun ? /^$/ : /^HTTP\/1.1 408 /);
    expect(other.isOpen).toBe(true);
  });

  test('are answered if their bodies never end, and only bodies with room are read', async () => {
    await host.stop();
    host = await start({ maxUnsentBytes: 256 * 1024, headersTimeoutMs: 2_000 });
    const head = (length: string) =>
      `POST /api/public/insight/track HTTP/1.1\r\nHost: h\r\nAuthorization: ${service.secrets.client.value}\r\n${length}\r\n\r\n`;
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const slow = new RawClient(host.port);
    slow.write(`${head('Transfer-Encoding: chunked')}${chunk.repeat(3)}`);
    const answers: RawClient[] = [];
    // The first body keeps its memory for less than a second.
    await until(async () => {
      const quick = new RawClient(host.port);
      answers.push(quick);
      quick.write(`${head('Content-Length: 250000')}${' '.repeat(200_000)}`);
      await Promise.race([quick.ended, slow.ended]);
      return slow.text !== '';
    });
    await slow.ended;
    expect(slow.text).toMatch(/^HTTP\/1.1 429 /);
    expect(slow.text).toMatch(/retry-after: 1\r\n/i);
    for (const { text } of answers.slice(0, -1)) expect(text).toMatch(/^HTTP\/1.1 429 /);
    expect(answers.at(-1)?.text).toBe('');
    await answers.at(-1)?.ended;
    expect(answers.at(-1)?.text).toMatch(/^HTTP\/1.1 408 /);
    expect((await track('[]')).status).toBe(200);
  });

  test('are closed with 4003 for bad tokens, with few lines in the log', async () => {
    const attempts = Array.from({ length: 200 }, () => connect('/streaming?type=client&token=nonsense').closed);
    expect(new Set((await Promise.all(attempts)).map(({ code }) => code))).toEqual(new Set([4003]));
    expect(await metric('flagwire_connections_refused_total')).toBe(200);
    const told = output.lines().filter(({ message }) => message === 'connection refused');
    expect(told.length).toBeLessThanOrEqual(20);
    expect(told[0]).toMatchObject({ reason: 'malformed token' });
  });

  test('get no answer to a message over 32 KB, and are served afterwards', async () => {
    const client = await open();
    client.send(`{"messageType":"echo","data":"${'x'.repeat(100 * 1024)}"}`);
    client.send(dataSync(0));
    await until(() => client.texts.length === 1);
    expect(client.texts[0]).toContain('data-sync');
    expect(await metric('flagwire_messages_ignored_total')).toBe(1);
  });

  test('cannot stop it by a header of blanks and a control byte', async () => {
    const tcp = connectTcp(host.port, '127.0.0.1');
    sockets.push({ terminate: () => tcp.destroy() });
    tcp.write(`GET /streaming HTTP/1.1\r\nHost: h\r\nx:${' '.repeat(15_000)}\x01\r\n\r\n`);
    const [answer] = await once(tcp, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 400 /);
    expect(await status('/health/liveness')).toBe(200);
  });

  test('get one reply each if they repeat requests unread; others have all changes', async () => {
    await host.stop();
    host = await start({ maxUnsentBytes: 64 * 1024 * 1024 });
    const REPLY = 4 * 1024 * 1024;
    const ASKS = 10;
    await putLarge(4);
    const [first, second, quick] = [await stalled(ASKS), await stalled(ASKS), await open()];
    await until(async () => (await metric('flagwire_unsent_bytes')) > 0);
    quick.send(dataSync(0));
    await until(() => quick.texts.length === 1);
    await put('after');
    await until(() => quick.texts.length === 2);
    expect(await metric('flagwire_unsent_bytes')).toBeLessThan(2.2 * REPLY);
    // The network's own buffers hold a few.
    expect(await metric('flagwire_sync_seconds_count')).toBeLessThan(12);
    const received = [first, second].map((tcp) => {
      const taken = { bytes: 0 };
      tcp.resume().on('data', ({ length }) => {
        taken.bytes += length;
      });
      return taken;
    });
    for (const taken of received) await until(() => taken.bytes > ASKS * REPLY);
    await until(async () => (await metric('flagwire_unsent_bytes')) === 0);
  });

  test('are ended if unread replies fill memory, so that others get theirs', async () => {
    await putLarge(8);
    await stalled(1);
    await until(async () => (await metric('flagwire_unsent_bytes')) > 1024 * 1024);
    const other = await open();
    other.send(dataSync(0));
    await until(() => other.texts.length === 1);
    expect(await metric('flagwire_connections')).toBe(1);
  });

  test('are counted and ended in the same way if they do not read HTTP answers', async () => {
    await putLarge(8);
    const request = `GET /api/public/sdk/server/latest-all HTTP/1.1\r\nHost: h\r\nAuthorization: ${service.secrets.server.value}\r\n\r\n`;
    for (let n = 0; n < 3; n++) {
      const tcp = connectTcp(host.port, '127.0.0.1').pause();
      tcp.on('error', () => {});
      tcp.write(request);
      sockets.push({ terminate: () => tcp.destroy() });
    }
    await until(async () => (await metric('flagwire_unsent_bytes')) > 1024 * 1024);
    expect(await metric('flagwire_unsent_bytes')).toBeLessThan(2 * 9 * 1024 * 1024);
    const other = await open();
    other.send(dataSync(0));
    await until(() => other.texts.length === 1);
  });

  test.each([
    ['at once', 0],
    ['after a quiet time', 2_500],
  ])('are ended if they read nothing for too long, %s', async (_when, quietMs) => {
    await host.stop();
    host = await start({ unreadTimeoutMs: 1_000 });
    await putLarge(8);
    const idle = await open();
    await stalled(1, quietMs);
    await until(
      () => metric('flagwire_connections'),
      (count) => count === 1,
    );
    idle.send(dataSync(0));
    await until(() => idle.texts.length === 1);
    expect(idle.texts[0]).toContain('data-sync');
  });

  test('are closed with 4003 if their environment is deleted, answered or not', async () => {
    const [connected, waiting] = [await open(), await open()];
    connected.send(dataSync(0));
    await until(() => connected.texts.length === 1);
    await service.store.environments.remove(await service.store.environments.find(service.envId));
    expect(await connected.closed).toEqual({ code: 4003, reason: 'invalid request, close by server' });
    waiting.send(dataSync(0));
    expect(await waiting.closed).toEqual({ code: 4003, reason: 'invalid request, close by server' });
    expect(await metric('flagwire_failures_total')).toBe(0);
  });
});

describe('a handshake', () => {
  test('gets 503 while the host has as many connections as it may, and succeeds after one has closed', async () => {
    await host.stop();
    host = await start({ maxConnections: 2 });
    const [first] = [await open(), await open()];
    await expect(open()).rejects.toThrow('503');
    expect([await status('/health/readiness'), await metric('flagwire_connections')]).toEqual([200, 2]);
    await first.close();
    await until(() => metric('flagwire_connections').then((count) => count === 1));
    await open();
  });

  test('gets 503 after too long an outage of the table, and open connections stay', async () => {
    await host.stop();
    host = await start({ maxTableOutageMs: 100 });
    const early = await open();
    isDown = true;
    // A read from before the outage can still succeed, and then the outage begins anew.
    const refused = () =>
      open().then(
        () => false,
        (error) => String(error).includes('503'),
      );
    await until(refused);
    await until(async () => (await status('/health/readiness')) === 503);
    early.send('{"messageType":"ping","data":null}');
    await until(() => early.texts.length === 1);
    expect(early.isOpen).toBe(true);
    isDown = false;
    await until(async () => (await status('/health/readiness')) === 200);
    await open();
  });

  test('succeeds if the process is busy for longer than an unread answer may wait', async () => {
    await host.stop();
    host = await start({ unreadTimeoutMs: 100 });
    await handshake(() => {
      for (const end = Date.now() + 300; Date.now() < end; );
    });
    expect(await metric('flagwire_connections')).toBe(1);
  });

  test('is refused if the host begins to stop before it has arrived whole', async () => {
    await host.stop();
    host = await start({ drainMs: 2_000 });
    await Promise.all([open(), open()]);
    const client = new RawClient(host.port);
    sockets.push({ terminate: () => client.socket.destroy() });
    const request = upgradeRequest();
    client.write(request.slice(0, 20));
    await status('/health/liveness');
    const stopping = host.stop();
    client.write(request.slice(20));
    await client.until((text) => text.includes('\r\n\r\n'));
    // Bun closes the connection, or answers if the rest arrives first.
    expect(client.text).toMatch(isBun ? /^($|HTTP\/1\.1 503 )/ : /^HTTP\/1\.1 503 /);
    await stopping;
  });
});

describe('a host that stops', () => {
  test('is not ready, refuses clients, and closes connections with 1001, one by one', async () => {
    const clients = await Promise.all(Array.from({ length: 10 }, () => open()));
    const stopping = host.stop();
    for (const { closed } of clients) expect(await closed).toEqual({ code: 1001, reason: 'the server is restarting' });
    await stopping;
    await expect(open()).rejects.toThrow('ECONNREFUSED');
  });
});

/** A client that is idle first, then sends a number of requests without reading the responses. */
async function stalled(times: number, quietMs = 0): Promise<Socket> {
  const tcp = (await handshake()).pause();
  tcp.on('error', () => {});
  await sleep(quietMs);
  for (let n = 0; n < times; n++) tcp.write(textFrame(dataSync(0)));
  return tcp;
}

/** A connection whose frames the test writes directly. @param onConnect is called once the connection is established */
function handshake(onConnect = () => {}): Promise<Socket> {
  const token = encodeToken(service.secrets.server.value, service.effects.now(), 7);
  const tcp = connectTcp(host.port, '127.0.0.1');
  sockets.push({ terminate: () => tcp.destroy() });
  const headers = 'Host: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
  tcp.write(
    `GET /streaming?type=server&token=${token} HTTP/1.1\r\n${headers}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  return new Promise((resolve, reject) => {
    tcp.once('connect', onConnect);
    tcp.once('data', () => resolve(tcp));
    tcp.once('close', () => reject(new Error('the connection was closed before the response')));
  });
}
