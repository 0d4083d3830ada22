import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TOKEN_HEADER } from '../../console/api.ts';
import type { LiveEvent } from '../../console/live.ts';
import { synthesizedTemplates } from '../../infra/testing/synthesizedTemplates.ts';
import { encodeToken } from '../../shared/protocol/token.ts';
import { until } from '../../shared/testing/until.ts';
import { type LocalStack, startLocal } from '../emulator/emulator.ts';
import type { OwnRequests } from '../emulator/listen.ts';
import { RawSocket } from '../support/rawSocket.ts';
import { type LocalConsole, openLocalConsole } from './localConsole.ts';
import { type LocalKeys, seedExamples } from './seed.ts';
import { createTrafficEvents } from './trafficEvents.ts';
import { openTryPage } from './tryPage.ts';

const ENV = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';
const TOKEN = 'the-token-that-was-kept';
const dataDir = mkdtempSync(join(tmpdir(), 'flagwire-console-'));
const told: LiveEvent[] = [];
let stack: LocalStack;
let page: LocalConsole | undefined;
let keys: LocalKeys;
let tryPage: OwnRequests;
let flushing: NodeJS.Timeout;

beforeAll(async () => {
  process.env['POWERTOOLS_LOG_LEVEL'] ??= 'SILENT';
  const traffic = createTrafficEvents((event, environments) => {
    told.push(event);
    page?.tell(event, environments);
  });
  flushing = setInterval(() => traffic.flush(), 20);
  stack = await startLocal({
    templates: synthesizedTemplates(),
    log: () => undefined,
    traffic,
    beside: (request, response) => page?.serve(request, response) || tryPage(request, response),
  });
  ({ keys } = await seedExamples(stack, dataDir, 'benchmark'));
  tryPage = openTryPage(keys.client, undefined, 'new-checkout');
  page = openLocalConsole(stack, stack, keys, TOKEN);
});
afterAll(async () => {
  clearInterval(flushing);
  page?.close();
  await stack.close();
  rmSync(dataDir, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${stack.httpUrl}${path}`, { method, headers, redirect: 'manual' });
const api = async (path: string, method = 'GET', body?: object) => {
  const headers = { [TOKEN_HEADER]: TOKEN, ...(body ? { 'content-type': 'application/json' } : {}) };
  const response = await fetch(`${stack.httpUrl}/console/api/${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every kind.
  return (await response.json()) as any;
};

describe('the console of npm start', () => {
  test('has the token that it is given in its URL', () => {
    expect(page?.url).toBe(`${stack.httpUrl}/console/#token=${TOKEN}`);
  });

  test('is where a browser gets to that opens the HTTP address, with all its files', async () => {
    const { status, headers } = await get('/', { accept: 'text/html,application/xhtml+xml' });
    expect([status, headers.get('location')]).toEqual([302, '/console/']);
    const html = await (await get('/console/')).text();
    const files = [...html.matchAll(/(?:href|src)="([\w.-]+\.(?:js|css))"/g)].map(([, name]) => name);
    expect(files).toHaveLength(2);
    for (const name of files) expect((await get(`/console/${name}`)).status).toBe(200);
    expect(html).not.toContain(TOKEN);
  });

  test('leaves the SDKs’ HTTP API as it was', async () => {
    expect((await get('/')).status).toBe(401);
    expect((await get('/', { accept: 'text/html' }, 'POST')).status).toBe(401);
    expect((await get('/consoles')).status).toBe(401);
    const preflight = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
    const path = '/api/public/insight/track';
    expect((await get(path, preflight, 'OPTIONS')).headers.get('access-control-allow-origin')).toBe('*');
    const ours = await get('/console/api/context', preflight, 'OPTIONS');
    expect([ours.status, ours.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  test('shows the environment, with the secrets that this machine keeps', async () => {
    expect(await api('context')).toMatchObject({ mode: 'local', httpUrl: stack.httpUrl, table: stack.tables.flags });
    const { documents, secrets } = await api(`environments/${ENV}`);
    expect(documents).toHaveLength(7);
    const values = secrets.map(({ value }: { value: string }) => value);
    expect(values.toSorted()).toEqual(Object.values(keys).toSorted());
  });

  test('changes a flag that an SDK is pushed, and tells of both', async () => {
    const response = await fetch(`${stack.httpUrl}/console/api/environments/${ENV}/live`, {
      headers: { [TOKEN_HEADER]: TOKEN },
    });
    let live = '';
    const read = response.body?.pipeThrough(new TextDecoderStream()).pipeTo(
      new WritableStream({
        write: (text) => {
          live += text;
        },
      }),
    );
    const socket = await RawSocket.open(
      `${stack.streamingUrl}/streaming?type=server&token=${encodeURIComponent(encodeToken(keys.server, Date.now(), 2))}`,
    );
    await socket.sync({ timestamp: 0 });
    const { documents } = await api(`environments/${ENV}`);
    const { version, ...document } = documents.find(
      (each: { document: { key?: string } }) => each.document.key === 'returns-true',
    );
    const changed = { ...document, document: { ...document.document, name: 'by the console' } };
    await api(`environments/${ENV}/document`, 'PUT', { document: changed, expectedVersion: version });
    expect(await socket.nextText()).toContain('by the console');
    await until(() => live.includes('"type":"push"'));
    const lines = live.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    const types = lines.map(({ type }) => type);
    for (const type of ['state', 'opened', 'sync', 'version', 'push']) expect(types).toContain(type);
    expect(lines.find(({ type }) => type === 'push')).toMatchObject({ document: 'returns-true', reached: 1 });
    await socket.close();
    await until(() => live.includes('"type":"closed"'));
    page?.close();
    await read;
    expect(told.map(({ type }) => type)).toContain('closed');
  });
});
