import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createSecured } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AnswerDuringStop } from '../testing/answerDuringStop.ts';
import { until } from '../testing/until.ts';
import { KeptConnections } from './keptConnections.ts';

let server: Server;
let kept: KeptConnections;
/** What came, and over which connection, in order. */
let requests: { readonly over: Socket; readonly text: string }[];
let sockets: Set<Socket>;
let answer: (request: { readonly over: Socket; readonly text: string }) => void;

const ok = (body: string, head = '') =>
  `HTTP/1.1 200 OK\r\n${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const send = (text: string) => kept.send(Buffer.from(text));

beforeEach(async () => {
  requests = [];
  sockets = new Set();
  answer = ({ over, text }) => void over.write(ok(`to ${text}`));
  server = createServer((over) => {
    sockets.add(over);
    over.on('error', () => {});
    over.on('data', (bytes) => {
      const request = { over, text: String(bytes) };
      requests.push(request);
      answer(request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  kept = connectionsTo('http:');
});
afterEach(() => {
  server.close();
  for (const socket of sockets) socket.destroy();
});

const connectionsTo = (protocol: string, to: Server = server, timeoutMs = 60_000) =>
  new KeptConnections({ protocol, hostname: '127.0.0.1', port: (to.address() as AddressInfo).port }, timeoutMs);

describe('requests', () => {
  test('in turn go over one connection, at once over several', async () => {
    expect([await send('a'), await send('b')]).toEqual(['to a', 'to b']);
    expect(sockets.size).toBe(1);
    expect(await Promise.all([send('c'), send('d')])).toEqual(['to c', 'to d']);
    expect(sockets.size).toBe(2);
  });

  test('wait for one of 64 connections, and none is lost', async () => {
    const asked = Array.from({ length: 200 }, (_, n) => `<${n}>`);
    expect(await Promise.all(asked.map(send))).toEqual(asked.map((text) => `to ${text}`));
    expect(sockets.size).toBe(64);
  });

  test('are answered however the bytes arrive', async () => {
    answer = async ({ over }) => {
      for (const byte of Buffer.from(ok('grün', 'x: y\r\n'))) {
        over.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    expect([await send('a'), await send('b')]).toEqual(['grün', 'grün']);
    expect(sockets.size).toBe(1);
  });
});

test.each([
  ['of 64 KB', ok('a'.repeat(64 * 1024)), 'a'.repeat(64 * 1024)],
  ['of nothing', ok(''), ''],
  ['whose length is told in another case, without a blank', 'HTTP/1.1 200 OK\r\nCONTENT-LENGTH:2\r\n\r\n{}', '{}'],
])('an answer %s is taken', async (_, text, body) => {
  answer = ({ over }) => void over.write(text);
  expect([await send('a'), await send('b')]).toEqual([body, body]);
  expect(sockets.size).toBe(1);
});

describe('fail, and the next goes over another connection, when the server', () => {
  const answers = {
    'answers in another protocol': 'HTTP/2 200\r\nContent-Length: 2\r\n\r\n{}',
    'says something before its answer': `x${ok('{}')}`,
    'does not say how long its answer is': 'HTTP/1.1 200 OK\r\n\r\n{}',
    'answers in chunks': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    'sends more than it says': `${ok('{}')}HTTP`,
    'says that its answer is long': 'HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n{}',
    'sends a head without end': `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`,
  };
  test.each(Object.entries(answers))('%s', async (_, text) => {
    answer = ({ over }) => void over.write(text);
    await expect(send('a')).rejects.toThrow('no answer of the form');
    answer = ({ over, text }) => void over.write(ok(text));
    expect(await send('b')).toBe('b');
    expect(sockets.size).toBe(2);
  });

  test('closes', async () => {
    answer = ({ over }) => void over.end();
    await expect(send('a')).rejects.toThrow('closed');
  });

  test('does not answer in time', async () => {
    kept = connectionsTo('http:', server, 20);
    answer = () => {};
    await expect(send('a')).rejects.toThrow('no answer in time');
  });

  test('is not there', async () => {
    server.close();
    await expect(send('a')).rejects.toThrow('ECONNREFUSED');
  });
});

test('an answer that is an error is thrown, and its connection used again', async () => {
  answer = ({ over }) => void over.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}');
  await expect(send('a')).rejects.toThrow('answered with 400');
  answer = ({ over, text }) => void over.write(ok(text));
  expect(await send('b')).toBe('b');
  expect(sockets.size).toBe(1);
});

test('a server that answers nobody keeps no more than 1,064 waiting, and none for longer than its timeout', async () => {
  kept = connectionsTo('http:', server, 1_000);
  answer = () => {};
  const asked = await Promise.allSettled(Array.from({ length: 1_100 }, (_, n) => send(`${n}`)));
  const reasons = asked.map((each) => (each.status === 'rejected' ? String(each.reason.message) : 'answered'));
  const count = (reason: string) => reasons.filter((each) => each === reason).length;
  expect(count('1000 requests wait for a connection already')).toBe(36);
  expect(count('no answer in time')).toBeGreaterThanOrEqual(64);
  expect(count('no answer in time') + count('no connection in time')).toBe(1_064);
});

test('a connection that was closed while nothing was asked is not used', async () => {
  await send('a');
  for (const socket of sockets) socket.destroy();
  await until(async () => (await send('b').catch(() => '')) === 'to b');
  expect(sockets.size).toBeGreaterThan(1);
});

test('what comes unasked ends a connection, and is no answer', async () => {
  await send('a');
  for (const socket of sockets) socket.write(ok('unasked'));
  await until(() => [...sockets].every(({ destroyed }) => destroyed));
  expect(await send('b')).toBe('to b');
});

test('a server whose certificate nobody vouches for gets nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'flagwire-tls-'));
  const [key, cert] = [join(folder, 'key'), join(folder, 'crt')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', cert];
  const subject = ['-subj', '/CN=other', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...curve, ...subject], { stdio: 'ignore' });
  const heard: string[] = [];
  const secured = createSecured({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
    socket.on('error', () => {}).on('data', (bytes) => heard.push(String(bytes)));
  });
  try {
    await once(secured.listen(0, '127.0.0.1'), 'listening');
    await expect(connectionsTo('https:', secured).send(Buffer.from('secret'))).rejects.toThrow(/self.signed/);
    expect(heard).toEqual([]);
  } finally {
    secured.close();
    rmSync(folder, { recursive: true });
  }
});

test('an answer that came while the process was stopped is read, however long that was', async () => {
  const timeoutMs = 1_000;
  const other = await AnswerDuringStop.start(ok('late'));
  try {
    const requested = other.requested();
    const origin = { protocol: 'http:', hostname: '127.0.0.1', port: other.port };
    const answer = new KeptConnections(origin, timeoutMs).send(Buffer.from('a'));
    await requested;
    other.stop(2 * timeoutMs);
    expect(await answer).toBe('late');
  } finally {
    await other.close();
  }
});
