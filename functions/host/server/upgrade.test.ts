import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../shared/testing/until.ts';
import { RawClient, upgradeRequest } from '../testing/rawClient.ts';
import { answerOtherUpgrades, isWebSocket, serveUpgrades } from './upgrade.ts';

let server: Server;
let port: number;
let isUnavailable: boolean;
let clients: RawClient[];
let queries: string[];

beforeEach(async () => {
  [isUnavailable, clients, queries] = [false, [], []];
  const listener = answerOtherUpgrades(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.end(`<${request.method} ${request.url} ${body}>`);
  });
  server = createServer({ shouldUpgradeCallback: isWebSocket }, listener);
  const upgrade = (_: unknown, socket: { end(text: string): void }, __: unknown, query: URLSearchParams) => {
    queries.push(String(query));
    socket.end('taken');
  };
  serveUpgrades(server, upgrade as Parameters<typeof serveUpgrades>[1], () => isUnavailable);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  for (const { socket } of clients) socket.destroy();
  server.close();
  server.closeAllConnections();
});

function client(): RawClient {
  const made = new RawClient(port);
  clients.push(made);
  return made;
}

/** The server's number of open connections. */
const held = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

describe('a request for a WebSocket', () => {
  test.each([
    ['/streaming?type=server&token=a', 'type=server&token=a'],
    ['/Streaming/deeper/?x=1', 'x=1'],
    ['//streaming', ''],
  ])('is accepted at %s', async (target, query) => {
    const each = client();
    each.write(upgradeRequest(target));
    await each.until((text) => text.includes('taken'));
    expect(queries).toEqual([query]);
  });

  test.each([
    ['/elsewhere', false, '404 Not Found'],
    ['/streaming', true, '503 Service Unavailable\r\nRetry-After: 1'],
  ])('is refused at %s while unavailable is %s with %s', async (target, unavailable, status) => {
    isUnavailable = unavailable;
    const each = client();
    each.write(upgradeRequest(target));
    await each.ended;
    expect(each.text).toBe(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    expect(queries).toEqual([]);
  });

  test('releases its socket after a refusal, also if the client neither reads nor closes', async () => {
    const answering = client();
    answering.write('GET /a HTTP/1.1\r\nHost: h\r\n\r\n');
    await answering.until((text) => text.includes('<GET'));
    let asked = 0;
    server.on('upgrade', () => asked++);
    for (let n = 0; n < 50; n++) {
      const idle = client();
      idle.socket.pause();
      idle.write(upgradeRequest('/elsewhere'));
    }
    await until(async () => asked === 50);
    await until(async () => (await held()) === 1);
    expect(answering.socket.closed).toBe(false);
  });
});

describe('a request for anything else', () => {
  const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__';

  test.each([
    ['a request', `GET /a HTTP/1.1\r\nHost: h\r\n${h2c}\r\n\r\n`, '<GET /a >'],
    ['one with a body', `POST /a HTTP/1.1\r\nHost: h\r\n${h2c}\r\nContent-Length: 2\r\n\r\nhi`, '<POST /a hi>'],
    ['one at /streaming', `GET /streaming HTTP/1.1\r\nHost: h\r\n${h2c}\r\n\r\n`, '<GET /streaming >'],
  ])('%s with `Upgrade: h2c` is answered as without', async (_, request, answer) => {
    const each = client();
    each.write(request);
    await each.until((text) => text.includes('>'));
    expect(each.text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(each.text).toContain(answer);
    expect(queries).toEqual([]);
  });

  test('is the last on its connection, as answers to later requests would not come', async () => {
    const each = client();
    each.write(`GET /a HTTP/1.1\r\nHost: h\r\n${h2c}\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n`);
    await each.ended;
    expect(each.text).toMatch(/\r\nConnection: close\r\n/i);
    expect(each.text).toContain('<GET /a >');
  });
});
