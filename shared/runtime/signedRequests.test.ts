import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { type ReceivedRequest, useFakeApi } from '../testing/fakeApi.ts';
import { systemEffects } from './effects.ts';
import { createSigner } from './signature.ts';
import { SignedRequests } from './signedRequests.ts';

/** Long compared with an answer on loopback, also where the machine is busy. */
const TIMEOUT_MS = 1_000;

let received: ReceivedRequest[] = [];
/** How the server answers: with a refusal, with success, not at all, or with half an answer. */
let manner: 'refuses' | 'accepts' | 'accepts after a stop' | 'is silent' | 'breaks off' = 'refuses';

const api = useFakeApi((request, response) => {
  received.push(request);
  if (manner === 'refuses') {
    response.writeHead(403, { 'x-amzn-ErrorType': 'ForbiddenException:http://docs' }).end('{}');
  } else if (manner === 'accepts') {
    response.writeHead(200).end();
  } else if (manner === 'accepts after a stop') {
    stopThread(2 * TIMEOUT_MS);
    setTimeout(() => response.writeHead(200).end(), 1);
  } else if (manner === 'breaks off') {
    response.writeHead(200, { 'content-length': 10 }).write('{', () => response.destroy());
  }
});
beforeEach(() => {
  received = [];
  manner = 'refuses';
});

/** A server in its own thread. It answers when the first number is 1, also while the thread of the test is blocked, and sets the second. */
const SERVER = `
const { createServer } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const server = createServer((socket) => {
  socket.on('error', () => {}).on('data', () => {
    parentPort.postMessage('request');
    Atomics.wait(workerData, 0, 0);
    socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n', () => {
      Atomics.store(workerData, 1, 1);
      Atomics.notify(workerData, 1);
    });
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
const sharedNumbers = (count: number) => new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));

/** Blocks this thread, including timers and sockets, for a time. */
function stopThread(ms: number): void {
  Atomics.wait(sharedNumbers(1), 0, 0, ms);
}

const HEADERS = { 'content-type': 'application/octet-stream' };
const credentials = async () => ({ accessKeyId: 'AKID', secretAccessKey: 'wJalrXUtnFEMI', sessionToken: 'a session' });

/** Posts a body to a path below an endpoint. */
function sender(timeoutMs = 5_000, to = `${api.endpoint}/streaming`) {
  const target = { service: 'execute-api', endpoint: to, region: 'eu-west-1', keys: credentials };
  const requests = new SignedRequests(target, timeoutMs, systemEffects);
  return (path: string, body = '{}') => requests.send(path, body, HEADERS);
}

test('sends body, headers and signature for the path that the service receives', async () => {
  const [before, post] = [Date.now(), sender()];
  await post('/@connections/L0SM9cOFvHcCIhw%3D', '{"a":"é💥"}');
  const [{ url, body, headers }] = received as [ReceivedRequest];
  expect([url, body]).toEqual(['/streaming/@connections/L0SM9cOFvHcCIhw%3D', '{"a":"é💥"}']);
  expect(headers).toMatchObject({ ...HEADERS, host: new URL(api.endpoint).host, 'x-amz-security-token': 'a session' });
  const time = String(headers['x-amz-date']).replace(/(....)(..)(..T..)(..)/, '$1-$2-$3:$4:');
  expect(Math.abs(Date.parse(time) - before)).toBeLessThan(60_000);
  const { host = '' } = headers;
  const signed = { method: 'POST' as const, path: url, headers: { ...HEADERS, host }, body, at: Date.parse(time) };
  expect(headers).toMatchObject(createSigner('eu-west-1', 'execute-api')(signed, await credentials()));
});

test('signs with the clock of the service', async () => {
  const target = { service: 'dynamodb', endpoint: api.endpoint, region: 'eu-west-1', keys: credentials };
  const requests = new SignedRequests(target, 5_000, { ...systemEffects, now: () => Date.UTC(2026, 0, 1) });
  await requests.send('/', '{}', HEADERS, 3_600_000);
  expect(received[0]?.headers['x-amz-date']).toBe('20260101T010000Z');
});

test('keeps signatures only if the target asks for it, and not for another offset', async () => {
  const target = { service: 'dynamodb', endpoint: api.endpoint, region: 'eu-west-1', keys: credentials };
  const signed = jest.spyOn(Date.prototype, 'toISOString');
  const counts = [];
  for (const keepsSignatures of [false, true]) {
    const requests = new SignedRequests({ ...target, keepsSignatures }, 5_000, { ...systemEffects, now: () => 0 });
    signed.mockClear();
    for (const offset of [0, 0, 3_600_000, 3_600_000]) await requests.send('/', '{}', HEADERS, offset);
    counts.push(signed.mock.calls.length);
  }
  signed.mockRestore();
  expect(counts).toEqual([4, 2]);
});

test('returns status, AWS’s name of the error, and the body', async () => {
  expect(await sender()('/@connections/c', '{}')).toEqual({ status: 403, error: 'ForbiddenException', body: '{}' });
  manner = 'accepts';
  expect(await sender()('/@connections/c', '{}')).toEqual({ status: 200, error: '', body: '' });
});

test('rejects a response that breaks off', async () => {
  manner = 'breaks off';
  await expect(sender()('/@connections/c', '{}')).rejects.toThrow();
});

test('appends a path to the path of the endpoint, with or without a final slash', async () => {
  for (const to of [`${api.endpoint}/streaming/`, api.endpoint]) await sender(5_000, to)('/@connections/c', '{}');
  expect(received.map(({ url }) => url)).toEqual(['/streaming/@connections/c', '/@connections/c']);
});

test('uses TLS for an endpoint of https', async () => {
  const firstBytes: number[] = [];
  const tcp = createTcpServer((socket) => {
    socket.once('data', (data) => {
      firstBytes.push(data[0] as number);
      socket.destroy();
    });
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const to = `https://127.0.0.1:${(tcp.address() as AddressInfo).port}/streaming`;
  await expect(sender(5_000, to)('/@connections/c', '{}')).rejects.toThrow();
  tcp.close();
  // A handshake: RFC 8446, section 5.1.
  expect(firstBytes).toEqual([22]);
});

test('sends one request after another over one connection', async () => {
  const post = sender();
  for (let n = 0; n < 3; n++) await post(`/@connections/${n}`, '{}');
  expect(new Set(received.map(({ socket }) => socket)).size).toBe(1);
});

test('rejects after the timeout, and names the host and the time', async () => {
  manner = 'is silent';
  await expect(sender(50)('/@connections/c', '{}')).rejects.toThrow(/^127\.0\.0\.1:\d+ did not answer within 50 ms$/);
});

test('rejects after the timeout behind a proxy that does not answer', async () => {
  const proxy = createTcpServer(() => {});
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  process.env['HTTPS_PROXY'] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const answer = sender(50, 'https://dynamodb.example')('/', '{}');
  await expect(answer).rejects.toThrow('dynamodb.example did not answer within 50 ms');
  delete process.env['HTTPS_PROXY'];
  proxy.close();
});

test('reads a response that came while the process was stopped', async () => {
  const state = sharedNumbers(2);
  const worker = new Worker(SERVER, { eval: true, workerData: state });
  try {
    const [port] = await once(worker, 'message');
    const requested = once(worker, 'message');
    const answer = sender(TIMEOUT_MS, `http://127.0.0.1:${port}`)('/@connections/c', '{}');
    await requested;
    const end = performance.now() + 2 * TIMEOUT_MS;
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    Atomics.wait(state, 1, 0);
    stopThread(end - performance.now());
    expect(await answer).toEqual({ status: 200, error: '', body: '' });
  } finally {
    await worker.terminate();
  }
});

test('gives a server that was stopped together with the process time to answer', async () => {
  manner = 'accepts after a stop';
  expect(await sender(TIMEOUT_MS)('/@connections/c', '{}')).toEqual({ status: 200, error: '', body: '' });
});
