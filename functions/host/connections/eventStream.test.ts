import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EventSource } from 'eventsource';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { freePort } from '../../../dev/support/freePort.ts';
import { formatSecret } from '../../../shared/protocol/secret.ts';
import { SECRET_CACHE_MS } from '../../../shared/store/environments/secretCache.ts';
import { aFlag } from '../../../shared/testing/builders.ts';
import { until } from '../../../shared/testing/until.ts';
import { service, useService } from '../../testing/fixture.ts';
import type { Host } from '../host.ts';
import { startTestHost } from '../testing/host.ts';
import { EventStream } from './eventStream.ts';

useService();

let host: Host;
let isDown = false;
let sources: EventSource[] = [];
beforeEach(async () => {
  isDown = false;
  sources = [];
  host = await startTestHost(() => isDown);
});
afterEach(async () => {
  for (const source of sources) source.close();
  await host.stop();
});

const urlOf = (path: string) => `http://127.0.0.1:${host.port}${path}`;
const streamOf = (secret: string) => urlOf(`/ofrep/v1/event-stream?key=${secret}`);
const put = async (key: string, name = '') => {
  const [written] = await service.store.documents.writeFlag(service.envId, key, () => aFlag({ key, name }));
  return String(written?.updatedAt);
};

/** Opens the stream like a browser. @param met the version of an earlier stream */
function open(met?: string) {
  const ids: string[] = [];
  const headers = met === undefined ? {} : { 'last-event-id': met };
  const source = new EventSource(streamOf(service.secrets.client.value), {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }),
  });
  sources.push(source);
  source.addEventListener('message', ({ data, lastEventId }) => {
    expect(JSON.parse(data)).toEqual({ type: 'refetchEvaluation' });
    ids.push(lastEventId);
  });
  return { source, ids };
}
const connections = async () =>
  Number(/^flagwire_connections (\d+)$/m.exec(await (await fetch(urlOf('/metrics'))).text())?.[1]);

describe('the event stream', () => {
  test('is not opened by who asks for its headers only, nor kept for who goes at once', async () => {
    await put('f');
    const { pathname, search, href } = new URL(streamOf(service.secrets.client.value));
    expect((await fetch(href, { method: 'HEAD' })).status).toBe(405);
    for (let n = 0; n < 20; n++) {
      const socket = connect(host.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.end(`GET ${pathname}${search} HTTP/1.1\r\nhost: h\r\n\r\n`);
      socket.destroySoon();
    }
    const { ids } = open();
    await until(() => ids.length === 1);
    await until(async () => (await connections()) === 1);
  });

  test('is told of with all flags, to who has a client key', async () => {
    const ask = async (secret: string) => {
      const body = JSON.stringify({ context: { targetingKey: 'u1' } });
      const headers = { 'x-api-key': secret };
      return (await fetch(urlOf('/ofrep/v1/evaluate/flags'), { method: 'POST', headers, body })).json();
    };
    const { client, server } = service.secrets;
    const requestUri = `/ofrep/v1/event-stream?key=${client.value}`;
    expect(await ask(client.value)).toMatchObject({ eventStreams: [{ type: 'sse', endpoint: { requestUri } }] });
    expect(await ask(server.value)).not.toHaveProperty('eventStreams');
  });

  test('tells the version at once, and each that comes after it', async () => {
    const first = await put('f');
    const { ids } = open();
    await until(() => ids.length === 1);
    const second = await put('f', 'renamed');
    await until(() => ids.length === 2);
    const third = await put('g');
    await until(() => ids.length === 3);
    expect(ids).toEqual([first, second, third]);
  });

  test('does not tell a client again of the version that it has met', async () => {
    const first = await put('f');
    const { ids, source } = open(first);
    await until(() => source.readyState === EventSource.OPEN);
    const second = await put('g');
    await until(() => ids.length > 0);
    expect(ids).toEqual([second]);
  });

  test('carries what browsers need to read it from another origin', async () => {
    const abort = new AbortController();
    const response = await fetch(streamOf(service.secrets.client.value), {
      headers: { origin: 'https://app.example' },
      signal: abort.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await connections()).toBe(1);
    abort.abort();
    await until(async () => (await connections()) === 0);
  });

  test('gives signs of life', async () => {
    await host.stop();
    host = await startTestHost(() => isDown, { settings: { unreadTimeoutMs: 3_000 } });
    await put('f');
    const abort = new AbortController();
    const response = await fetch(streamOf(service.secrets.client.value), { signal: abort.signal });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk);
      // One event each second, for longer than the idle timeout. On Bun that is at least eight seconds.
      if (text.endsWith(':\n\n'.repeat(10))) break;
    }
    abort.abort();
    expect(text).toMatch(/^data: .*\nid: \d+\n\n:/);
  });

  test.each([
    ['no key', () => ''],
    ['a server key', () => service.secrets.server.value],
    ['a key that nobody issued', () => formatSecret('6e1b2d4f-0000-4000-8000-000000000002', service.envId)],
  ])('is refused with %s', async (_, secret) => {
    const response = await fetch(streamOf(secret()));
    expect([response.status, await response.json()]).toEqual([401, { errorDetails: expect.any(String) }]);
  });

  test('says 500 while the table is away and the environment was never read', async () => {
    isDown = true;
    expect((await fetch(streamOf(service.secrets.client.value))).status).toBe(500);
  });

  test('ends with its key, and cannot be opened again', async () => {
    await put('f');
    const { ids, source } = open();
    await until(() => ids.length === 1);
    const { record } = service.secrets.client;
    await service.store.secrets.revoke(service.envId, record.id);
    service.effects.clock.now += SECRET_CACHE_MS;
    await until(() => source.readyState === EventSource.CLOSED);
    expect(await connections()).toBe(0);
  });

  test('ends with its environment', async () => {
    await put('f');
    const { ids } = open();
    await until(() => ids.length === 1);
    const { environments } = service.store;
    await environments.remove(await environments.find(service.envId));
    await until(async () => (await connections()) === 0);
  });

  test('ends when the host stops, and goes on with the next', async () => {
    await host.stop();
    const port = await freePort();
    host = await startTestHost(() => isDown, { settings: { port } });
    const first = await put('f');
    const { ids, source } = open();
    await until(() => ids.length === 1);
    await host.stop();
    await until(() => source.readyState === EventSource.CONNECTING);
    host = await startTestHost(() => isDown, { settings: { port } });
    const second = await put('f', 'renamed');
    await until(() => ids.length > 1);
    expect(ids).toEqual([first, second]);
  });
});

test('a client that does not read has a few events waiting, the newest last', async () => {
  let isDone = false;
  const app = new Hono();
  app.get('/', (context) =>
    streamSSE(context, async (sse) => {
      const stream = new EventStream(sse, 0);
      for (let version = 1; version <= 1_000; version++) {
        stream.notify(version);
        stream.showLife();
        await turn();
      }
      isDone = true;
      await stream.ended;
    }),
  );
  const response = await app.request('/');
  await until(() => isDone);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk);
    if (text.includes('id: 1000\n')) break;
  }
  const ids = text.match(/(?<=id: )\d+/g)?.map(Number) ?? [];
  expect(ids.length).toBeLessThan(10);
});
