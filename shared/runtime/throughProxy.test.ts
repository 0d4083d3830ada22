import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { repositoryFiles } from '../../dev/support/repositoryFiles.ts';
import { repositoryRoot } from '../../infra/repository.ts';
import { throughProxy } from './throughProxy.ts';

const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
const usual = process.env;
/** What the proxy was asked for. */
const asked: (string | undefined)[] = [];
const proxy = createServer((request, response) => {
  asked.push(request.url);
  response.writeHead(502).end();
}).on('connect', (request, socket) => {
  asked.push(request.url);
  socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n', () => socket.destroy());
});
const addressOf = (server: typeof proxy) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeEach(async () => {
  process.env = Object.fromEntries(Object.entries(usual).filter(([name]) => !/proxy$/i.test(name)));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  asked.length = 0;
});
afterEach(async () => {
  process.env = usual;
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

/** Asks for tables at an endpoint, with variables set to the proxy's address or as given. @returns what the proxy was asked for */
async function askedBy(endpoint: string, variables: Readonly<Record<string, string | true>>) {
  for (const [name, value] of Object.entries(variables)) process.env[name] = value === true ? addressOf(proxy) : value;
  const requestHandler = throughProxy();
  const client = new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials, maxAttempts: 1, requestHandler });
  await client.send(new ListTablesCommand()).catch(() => undefined);
  client.destroy();
  return asked;
}

/** An endpoint where nothing listens, by an address: a name would be looked up. */
const TABLES = 'https://127.0.0.2:1';

test.each([
  { HTTPS_PROXY: true },
  { https_proxy: true, HTTPS_PROXY: 'http://127.0.0.1:1' },
  { HTTPS_PROXY: true, NO_PROXY: 'other' },
  { ALL_PROXY: true },
  { HTTPS_PROXY: '', ALL_PROXY: true },
  { HTTPS_PROXY: true, ALL_PROXY: 'http://127.0.0.1:1' },
])('AWS is asked through the proxy of %j', async (variables) => {
  expect(await askedBy(TABLES, variables as Record<string, string | true>)).toEqual(['127.0.0.2:1']);
});

test.each([
  {},
  { HTTPS_PROXY: '' },
  { HTTP_PROXY: true },
  { HTTPS_PROXY: true, NO_PROXY: '127.0.0.2' },
  { HTTPS_PROXY: true, NO_PROXY: 'other', no_proxy: '127.0.0.2:1' },
])('AWS is asked directly with %j', async (variables) => {
  expect(await askedBy(TABLES, variables as Record<string, string | true>)).toEqual([]);
});

test('a proxy without a scheme is one of http, as for curl and Go', async () => {
  const { host } = new URL(addressOf(proxy));
  expect(await askedBy(TABLES, { HTTPS_PROXY: host })).toEqual(['127.0.0.2:1']);
});

test('a local endpoint is asked directly, another one without TLS through HTTP_PROXY', async () => {
  const local = createServer((_, response) => response.end('{}'));
  await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
  expect(await askedBy(addressOf(local), { HTTP_PROXY: true })).toEqual([]);
  expect(await askedBy('http://127.0.0.2:1', { HTTP_PROXY: true })).toEqual(['http://127.0.0.2:1/']);
  local.closeAllConnections();
  await new Promise((resolve) => local.close(resolve));
});

test('names a proxy that is not one of HTTP in one line', async () => {
  const said = jest.spyOn(console, 'error').mockReturnValue();
  expect(await askedBy(TABLES, { HTTPS_PROXY: 'socks5://127.0.0.1:1' })).toEqual([]);
  expect(await askedBy(TABLES, { HTTPS_PROXY: 'socks5://127.0.0.1:1', ALL_PROXY: true })).toEqual(['127.0.0.2:1']);
  expect(said.mock.calls).toEqual([[expect.stringMatching(/^HTTPS_PROXY is not used: it must name a proxy of HTTP/)]]);
  said.mockRestore();
});

test('names a proxy that this Node cannot use in one line', async () => {
  const said = jest.spyOn(console, 'error').mockReturnValue();
  // Node replaces a getter by its value at the first read, so it cannot be mocked as either.
  const flags = Object.getOwnPropertyDescriptor(process, 'allowedNodeEnvironmentFlags') ?? {};
  Object.defineProperty(process, 'allowedNodeEnvironmentFlags', { configurable: true, value: new Set() });
  process.env['HTTPS_PROXY'] = addressOf(proxy);
  expect([throughProxy({ socketTimeout: 1 }), throughProxy()]).toEqual([{ socketTimeout: 1 }, {}]);
  expect(said.mock.calls).toEqual([[expect.stringMatching(/^HTTPS_PROXY is set, but Node v\S+ cannot use a proxy/)]]);
  Object.defineProperty(process, 'allowedNodeEnvironmentFlags', flags);
  said.mockRestore();
});

test('every client outside of functions takes the proxy', () => {
  const without = repositoryFiles('{cli,console,cost,infra,loadtest,shared}/**/*.ts')
    .filter((path) => !/\.(test|suite)\.ts$|\/(testing|bench)\//.test(path))
    .filter((path) =>
      readFileSync(join(repositoryRoot, path), 'utf8')
        .split(/new (?=[A-Z]\w+Client\()/)
        .slice(1)
        .some((call) => !/throughProxy\(|clientSettings\(|FbClient|^\w+\(\)\.config\.region/.test(call.slice(0, 600))),
    );
  expect(without).toEqual([]);
});
