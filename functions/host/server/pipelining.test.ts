import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '../../../shared/testing/until.ts';
import { MOST_PIPELINED } from '../budgets/clientBudgets.ts';
import { RawClient } from '../testing/rawClient.ts';
import { countPipelined, oneAtATime } from './pipelining.ts';

let server: Server;
let seen = 0;
let exceeded = 0;

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** Starts Node's server. @returns a client of it */
async function start(listener: RequestListener): Promise<RawClient> {
  [seen, exceeded] = [0, 0];
  const answer = oneAtATime(listener, () => exceeded++);
  server = createServer((request, response) => {
    seen++;
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return new RawClient((server.address() as AddressInfo).port);
}

const requests = (count: number) =>
  Array.from({ length: count }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: h\r\n\r\n`).join('');

test('requests of a socket are answered in order, each after the one before it', async () => {
  const open: [string, ServerResponse][] = [];
  const client = await start((request, response) => open.push([request.url ?? '', response]));
  client.write(requests(MOST_PIPELINED));
  for (let n = 0; n < MOST_PIPELINED; n++) {
    await until(() => open.length > n);
    await turn();
    expect(open.map(([url]) => url).slice(n)).toEqual([`/${n}`]);
    open[n]?.[1].end(`<${n}>`);
  }
  await client.until((text) => text.includes(`<${MOST_PIPELINED - 1}>`));
  expect([client.text.match(/<\d+>/g)?.length, exceeded]).toEqual([MOST_PIPELINED, 0]);
  client.socket.destroy();
});

test('requests above the limit get 429, and the rest of the packet is not parsed', async () => {
  const client = await start((_, response) => response.end('answered'));
  client.write(requests(2_000));
  await client.ended;
  expect([seen, exceeded]).toEqual([MOST_PIPELINED + 1, 1]);
  expect(client.text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 429']);
  expect(client.text).toMatch(/Retry-After: 1\r\nConnection: close\r\n/);
});

test('a socket may be used again after each answer', async () => {
  const client = await start((_, response) => response.end('answered'));
  for (let n = 1; n <= 3 * MOST_PIPELINED; n++) {
    client.write(requests(1));
    await client.until((text) => text.split('answered').length > n);
  }
  expect(exceeded).toBe(0);
  client.socket.destroy();
});

test('requests of one socket are counted in one turn of the event loop', async () => {
  server = createServer();
  const mayAnswer = countPipelined();
  const take = (port: number, count: number) =>
    Array.from({ length: count }, () => mayAnswer({ address: 'a', port })).filter(Boolean).length;
  expect([take(1, 100), take(2, 100), take(1, 3)]).toEqual([MOST_PIPELINED, MOST_PIPELINED, 3]);
  await turn();
  expect(take(1, 100)).toBe(MOST_PIPELINED);
});
