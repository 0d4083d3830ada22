import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { until } from '../../../shared/testing/until.ts';
import { freePort } from '../../support/freePort.ts';
import { connectClient, refusal } from '../testing/gateway.ts';
import type { DistributionConfig } from './definition.ts';
import { startDistribution } from './distribution.ts';

const OPTIONS = ['GET', 'HEAD', 'OPTIONS'];
const config: DistributionConfig = {
  CacheBehaviors: [{ PathPattern: '/streaming*', AllowedMethods: OPTIONS, TargetOriginId: 'group' }],
  DefaultCacheBehavior: { AllowedMethods: [...OPTIONS, 'POST'], TargetOriginId: 'http' },
  OriginGroups: {
    Items: [
      {
        Id: 'group',
        FailoverCriteria: { StatusCodes: { Items: [503, 504] } },
        Members: { Items: [{ OriginId: 'host' }, { OriginId: 'gateway' }] },
      },
    ],
  },
  Origins: [
    { Id: 'host', ConnectionTimeout: 0.5, VpcOriginConfig: { OriginReadTimeout: 0.3 } },
    { Id: 'gateway', OriginCustomHeaders: [{ HeaderName: 'X-Door', HeaderValue: 'secret' }] },
    { Id: 'http' },
  ],
};

const templatesOf = (DistributionConfig: object) => ({
  Host: { Resources: { Edge: { Type: 'AWS::CloudFront::Distribution', Properties: { DistributionConfig } } } },
});

let closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.reverse()) await close();
  closes = [];
});

/** What an origin received. */
type Seen = Pick<IncomingMessage, 'url' | 'method' | 'headers'> & { readonly body?: string };

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closes.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An origin that echoes what a WebSocket sends, with its own name. */
async function origin(name: string, respond: RequestListener = (_, response) => response.end(name), status = 101) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    seen.push({ ...pick(request), body: await text(request) });
    respond(request, response);
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    seen.push(pick(request));
    if (status !== 101) socket.end(`HTTP/1.1 ${status} No\r\nX-From: ${name}\r\nConnection: close\r\n\r\n${name}`);
    else
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        webSocket.send(name);
        webSocket.on('message', (data) => webSocket.send(`${name} ${data}`));
      });
  });
  return { url: await listen(server), seen, sockets };
}

const pick = ({ url, method, headers }: IncomingMessage): Seen => ({ url, method, headers });
const refused = async () => `http://127.0.0.1:${await freePort()}`;
/** An origin that accepts connections, and never answers. */
const hung = () => listen(createTcpServer());
/** An origin that ends connections without a response. */
const ending = () => listen(createTcpServer((socket) => socket.end()));

async function open(addresses: Record<string, string>, options = {}) {
  const distribution = await startDistribution({ templates: templatesOf(config), addresses, ...options });
  closes.push(() => distribution.close());
  return { ...distribution, url: `${distribution.streamingUrl}/streaming?type=server&token=a%2Fb` };
}

describe('a WebSocket handshake', () => {
  test('goes to the first origin, with all headers except Host', async () => {
    const [host, gateway] = [await origin('host'), await origin('gateway')];
    const { url } = await open({ host: host.url, gateway: gateway.url });
    const client = await connectClient(url, { 'User-Agent': 'sdk', 'X-Door': 'forged' });
    expect(await client.next()).toBe('host');
    const [{ headers, url: path } = {} as Seen] = host.seen;
    expect(path).toBe('/streaming?type=server&token=a%2Fb');
    expect(headers).toMatchObject({ host: host.url.slice(7), 'user-agent': 'sdk', upgrade: 'websocket' });
    expect(gateway.seen).toEqual([]);
  });

  test('is refused with the first origin’s status where handshakes do not fail over', async () => {
    const [host, gateway] = [await origin('host', undefined, 503), await origin('gateway')];
    const addresses = { host: host.url, gateway: gateway.url };
    const { url } = await open(addresses, { hasFailoverOfSockets: false });
    await expect(connectClient(url)).rejects.toThrow('503');
    expect(gateway.seen).toEqual([]);
  });

  test.each<[string, () => Promise<string>]>([
    ['answers 503', async () => (await origin('host', undefined, 503)).url],
    ['refuses connections', refused],
    ['does not answer in time', hung],
  ])('goes to the second origin, with its header, if the first one %s', async (_, start) => {
    const gateway = await origin('gateway');
    const { url } = await open({ host: await start(), gateway: gateway.url });
    const client = await connectClient(url, { 'x-door': 'forged' });
    expect(await client.next()).toBe('gateway');
    expect(gateway.seen).toHaveLength(1);
    expect(gateway.seen[0]?.headers['x-door']).toBe('secret');
  });

  test('goes to the first origin again when that answers again', async () => {
    const port = await freePort();
    const gateway = await origin('gateway');
    const { url } = await open({ host: `http://127.0.0.1:${port}`, gateway: gateway.url });
    expect(await (await connectClient(url)).next()).toBe('gateway');
    const host = new WebSocketServer({ port, host: '127.0.0.1' }).on('connection', (socket) => socket.send('host'));
    closes.push(() => host.close());
    expect(await (await connectClient(url)).next()).toBe('host');
  });

  test('gets an answer of the first origin that is not in the list of the group', async () => {
    const gateway = await origin('gateway');
    const { url } = await open({ host: (await origin('host', undefined, 401)).url, gateway: gateway.url });
    expect(await refusal(url)).toEqual({ status: 401, body: 'host' });
    expect(gateway.seen).toEqual([]);
  });

  test.each([
    ['502', ending],
    ['503', refused],
    ['504', hung],
  ])('gets %s if no origin gives an answer', async (status, start) => {
    const last = { ...config, Origins: config.Origins.map((each) => ({ ...config.Origins[0], ...each })) };
    const { url } = await open({ host: await refused(), gateway: await start() }, { templates: templatesOf(last) });
    expect((await refusal(url)).status).toBe(Number(status));
  });

  test('gets 502 from an origin that ends, if the group does not list 502', async () => {
    const { url } = await open({ host: await ending(), gateway: (await origin('gateway')).url });
    expect((await refusal(url)).status).toBe(502);
  });

  test('is ended at the origin if the client leaves before the answer', async () => {
    const opened: Socket[] = [];
    const ended = Promise.withResolvers<void>();
    const host = await listen(createTcpServer((socket) => opened.push(socket.resume().on('close', ended.resolve))));
    const gateway = await origin('gateway');
    const config30 = { ...config, Origins: config.Origins.map(({ Id }) => ({ Id })) };
    const { url } = await open({ host, gateway: gateway.url }, { templates: templatesOf(config30) });
    const socket = new WebSocket(url).on('error', () => {});
    await until(() => opened.length === 1);
    socket.terminate();
    await ended.promise;
    expect(gateway.seen).toEqual([]);
  });
});

describe('a handshake with a function', () => {
  /** @param script is the body of the function */
  const openWith = async (script: string, store?: ReadonlyMap<string, string>) => {
    const [host, gateway] = [await origin('host'), await origin('gateway')];
    const functionOf = { FunctionAssociations: [{ FunctionARN: { 'Fn::GetAtt': ['Choose', 'FunctionARN'] } }] };
    const [behavior] = config.CacheBehaviors ?? [];
    const { Host } = templatesOf({ ...config, CacheBehaviors: [{ ...behavior, ...functionOf }] });
    const FunctionCode = `import cf from 'cloudfront';\nasync function handler(event) {${script}; return event.request; }`;
    const Choose = { Type: 'AWS::CloudFront::Function', Properties: { FunctionCode } };
    const templates = { Host: { Resources: { ...Host.Resources, Choose } } };
    const { url } = await open({ host: host.url, gateway: gateway.url }, { templates, store });
    return { url, host };
  };
  const select = "if ((await cf.kvs().get('a')) === 'b') cf.selectRequestOriginById('gateway')";

  test.each([
    ['b', 'gateway'],
    ['c', 'host'],
  ])('whose store has %s goes to %s', async (value, name) => {
    const { url, host } = await openWith(select, new Map([['a', value]]));
    expect(await (await connectClient(url)).next()).toBe(name);
    expect(host.seen).toHaveLength(name === 'host' ? 1 : 0);
  });

  test.each([
    ['503 if the function throws, also for a missing key', select, 503],
    ['502 if the function selects an origin that does not exist', "cf.selectRequestOriginById('x')", 502],
  ])('gets %s', async (_, script, status) => {
    const { url, host } = await openWith(script);
    expect((await refusal(url)).status).toBe(status);
    expect(host.seen).toEqual([]);
  });
});

describe('an open WebSocket', () => {
  test('carries messages in both directions, also large ones', async () => {
    const host = await origin('host');
    const { url } = await open({ host: host.url });
    const client = await connectClient(url);
    expect(await client.next()).toBe('host');
    const large = 'x'.repeat(1_000_000);
    client.socket.send(large);
    expect(await client.next()).toBe(`host ${large}`);
  });

  test('passes on close codes of both sides', async () => {
    const host = await origin('host');
    const { url } = await open({ host: host.url });
    const client = await connectClient(url);
    for (const socket of host.sockets.clients) socket.close(1001, 'bye');
    expect(await client.closed).toEqual({ code: 1001, reason: 'bye' });
    const other = await connectClient(url);
    const [atHost] = [...host.sockets.clients].slice(-1);
    const closed = once(atHost as WebSocket, 'close');
    other.socket.close(4000);
    expect((await closed)[0]).toBe(4000);
  });

  test('is ended if the origin is reset, and if the client is', async () => {
    const host = await origin('host');
    const { url } = await open({ host: host.url });
    const client = await connectClient(url);
    for (const socket of host.sockets.clients) socket.terminate();
    expect((await client.closed).code).toBe(1006);
    const other = await connectClient(url);
    other.socket.terminate();
    await until(() => host.sockets.clients.size === 0);
  });

  test.each(['client', 'origin'])('is ended at both sides if only the %s ends it', async (side) => {
    const ends: Socket[] = [];
    // It never ends its side by itself.
    const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
      ends.push(socket.resume());
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    });
    const { httpUrl } = await open({ host: await listen(server) }, { halfClosedMs: 10 });
    const client = connect({ port: Number(new URL(httpUrl).port), host: '127.0.0.1', allowHalfOpen: true });
    client.on('error', () => {});
    const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade\r\n';
    client.write(`GET /streaming HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`);
    expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1\.1 101 /);
    const closed = [client, ends[0] as Socket].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    client.resume();
    (side === 'client' ? client : (ends[0] as Socket)).end();
    // The side that stays open notices the end when it writes.
    const writing = setInterval(() => {
      for (const socket of [client, ends[0]]) socket?.write('x');
    }, 20);
    await Promise.all(closed).finally(() => clearInterval(writing));
  });

  test('is ended when the distribution closes', async () => {
    const { url, close } = await open({ host: (await origin('host')).url });
    const client = await connectClient(url);
    await close();
    expect((await client.closed).code).toBe(1006);
  });
});

describe('a request', () => {
  test('reaches the origin of the default behavior by another path, with its body', async () => {
    const http = await origin('http', (_, response) => {
      response.writeHead(503, { 'X-From': 'http', 'Set-Cookie': ['a=1', 'b=2'] }).end('away');
    });
    const { httpUrl } = await open({ http: http.url });
    const response = await fetch(`${httpUrl}/api/track?a=1`, { method: 'POST', body: 'events' });
    expect([response.status, await response.text()]).toEqual([503, 'away']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(http.seen).toMatchObject([{ url: '/api/track?a=1', method: 'POST', body: 'events' }]);
  });

  test('fails over by the streaming path too', async () => {
    const gateway = await origin('gateway');
    const { httpUrl } = await open({ host: await refused(), gateway: gateway.url });
    expect(await (await fetch(`${httpUrl}/streaming/x`)).text()).toBe('gateway');
  });

  test('with a method that the behavior does not allow gets 403', async () => {
    const [host, gateway] = [await origin('host'), await origin('gateway')];
    const { httpUrl } = await open({ host: host.url, gateway: gateway.url });
    expect((await fetch(`${httpUrl}/streaming`, { method: 'POST', body: 'x' })).status).toBe(403);
    expect((await fetch(`${httpUrl}/other`, { method: 'DELETE' })).status).toBe(403);
    expect([...host.seen, ...gateway.seen]).toEqual([]);
  });

  test('for another host name gets 403', async () => {
    const { httpUrl } = await open({ http: (await origin('http')).url });
    const client = connect(Number(new URL(httpUrl).port), '127.0.0.1');
    client.end('GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
    expect(await text(client)).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('above the limit of open connections is not accepted', async () => {
    const { httpUrl } = await open({ http: (await origin('http')).url }, { maxViewers: 1 });
    const first = connect(Number(new URL(httpUrl).port), '127.0.0.1');
    await once(first, 'connect');
    await expect(fetch(httpUrl)).rejects.toThrow();
    first.destroy();
    await until(
      () =>
        fetch(httpUrl).then(
          ({ ok }) => ok,
          () => false,
        ),
      (ok) => ok,
    );
  });
});

test('templates without a distribution are refused', async () => {
  await expect(startDistribution({ templates: {}, addresses: {} })).rejects.toThrow(
    'the emulator serves one distribution of CloudFront',
  );
});
