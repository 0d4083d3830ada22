import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { useTables } from '../shared/store/testing/testStore.ts';
import { until } from '../shared/testing/until.ts';
import { API_PATH, BODY_LIMIT_BYTES, TOKEN_HEADER } from './api.ts';
import { type ServedConsole, serveConsole } from './serve.ts';
import { aConsole, type TestConsole, TOKEN } from './testing/console.ts';

useTables();

let made: TestConsole;
let served: ServedConsole;
afterEach(() => served.close());

async function serve(): Promise<void> {
  made = aConsole();
  served = await serveConsole(made, 0);
}

/** What comes back for bytes of a client that follows no rules. */
function raw(...lines: string[]): Promise<string> {
  const socket = connect(served.port, '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return text(socket);
}
const own = () => [`Host: 127.0.0.1:${served.port}`, 'Connection: close'];
const withToken = () => [...own(), `${TOKEN_HEADER}: ${TOKEN}`];
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

describe('the console server on a socket', () => {
  test('admits requests with the token only', async () => {
    await serve();
    expect(statusOf(await raw(`GET ${API_PATH}context HTTP/1.1`, ...withToken()))).toBe(200);
    expect(statusOf(await raw(`GET ${API_PATH}context HTTP/1.1`, ...own()))).toBe(401);
    expect(statusOf(await raw(`GET ${API_PATH}context HTTP/1.1`, ...own(), `${TOKEN_HEADER}: stale`))).toBe(401);
  });

  test.each([
    ['of another name', 'GET /console/api/context HTTP/1.1', ['Host: evil.example']],
    ['of two names', 'GET /console/api/context HTTP/1.1', ['Host: 127.0.0.1', 'Host: evil.example']],
    ['without a name', 'GET /console/api/context HTTP/1.1', []],
    [
      'with a whole address of another name',
      'GET http://evil.example/console/api/context HTTP/1.1',
      ['Host: evil.example'],
    ],
  ])('a request %s is refused', async (_, line, headers) => {
    await serve();
    const answer = await raw(line, ...headers, `${TOKEN_HEADER}: ${TOKEN}`, 'Connection: close');
    expect([400, 403]).toContain(statusOf(answer));
    expect(answer).not.toContain('"by"');
  });

  test.each(['null', 'https://evil.example', 'http://127.0.0.1', 'http://127.0.0.1:1'])(
    'a page of origin %s is refused, and told nothing that its browser would hand on',
    async (origin) => {
      await serve();
      const answer = await raw(`GET ${API_PATH}environments HTTP/1.1`, ...withToken(), `Origin: ${origin}`);
      expect(statusOf(answer)).toBe(403);
      expect(answer.toLowerCase()).not.toContain('access-control');
    },
  );

  test.each([
    '/console/../package.json',
    '/console/%2e%2e/package.json',
    '/console/..%2f..%2fpackage.json',
    '/console/%2e%2e%2f%2e%2e%2fpackage.json',
    '/console//etc/passwd',
    '/console/..\\package.json',
    '/console/main-1.js%00',
    '/console/__proto__',
    '/console/constructor',
    '//console/api/context',
  ])('%s is no file', async (path) => {
    await serve();
    expect([400, 404]).toContain(statusOf(await raw(`GET ${path} HTTP/1.1`, ...own())));
  });

  test('a large body is refused by its length, before it is sent', async () => {
    await serve();
    const answer = await raw(
      `POST ${API_PATH}environments HTTP/1.1`,
      ...withToken(),
      'Content-Type: application/json',
      `Content-Length: ${BODY_LIMIT_BYTES + 1}`,
    );
    expect(statusOf(answer)).toBe(413);
  });

  test('a body that a stranger begins is not waited for', async () => {
    await serve();
    const answer = await raw(
      `POST ${API_PATH}environments HTTP/1.1`,
      ...own(),
      'Content-Type: application/json',
      'Content-Length: 100',
    );
    expect(statusOf(answer)).toBe(401);
  });

  test('refuses two lengths, an invalid length and invalid HTTP, and stays up', async () => {
    await serve();
    const post = `POST ${API_PATH}environments HTTP/1.1`;
    expect(statusOf(await raw(post, ...withToken(), 'Content-Length: 1', 'Transfer-Encoding: chunked'))).toBe(400);
    expect(statusOf(await raw(post, ...withToken(), 'Content-Length: -1'))).toBe(400);
    expect(statusOf(await raw('\u0016\u0003\u0001'))).toBe(400);
    expect(statusOf(await raw(`GET ${API_PATH}context HTTP/1.1`, ...withToken()))).toBe(200);
  });
});

describe('a live stream', () => {
  const open = async (id: string) =>
    fetch(`${served.url}api/environments/${id}/live`, { headers: { [TOKEN_HEADER]: TOKEN } });

  test('brings a line as it is told, and ends with the server', async () => {
    await serve();
    const { environment } = await made.store.environments.create('live');
    const response = await open(environment.id);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    made.live.tell({ type: 'version', at: 1, version: 7 });
    expect((await reader?.read())?.value).toBe('{"type":"version","at":1,"version":7}\n');
    await served.close();
    expect((await reader?.read())?.done).toBe(true);
    expect(made.live.followers.size).toBe(0);
    await serve();
  });

  test('ends when its reader goes', async () => {
    await serve();
    const { environment } = await made.store.environments.create('left');
    const response = await open(environment.id);
    expect(made.live.followers.size).toBe(1);
    await response.body?.cancel();
    await until(() => made.live.followers.size === 0);
  });

  test('is one of eight', async () => {
    await serve();
    const { environment } = await made.store.environments.create('many');
    const all = await Promise.all(Array.from({ length: 9 }, () => open(environment.id)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([...Array(8).fill(200), 429]);
    expect(all.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
    await all.find(({ ok }) => ok)?.body?.cancel();
    await until(() => made.live.followers.size === 7);
    expect((await open(environment.id)).status).toBe(200);
  });
});

test('a port that is taken is named, with the way out', async () => {
  await serve();
  await expect(serveConsole(aConsole(), served.port)).rejects.toThrow(
    `port ${served.port} is already in use; choose another with --port <number>`,
  );
});
