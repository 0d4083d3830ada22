import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { FREE_PORTS, freePort } from './freePort.ts';

/** Ports that the system gave to servers which asked for any. */
async function givenPorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}

test('no free port is one that the system gives for port 0', async () => {
  const free = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  const given = await givenPorts(50);
  for (const port of free) {
    expect(port).toBeGreaterThanOrEqual(FREE_PORTS.from);
    expect(port).toBeLessThan(FREE_PORTS.to);
  }
  expect(given.filter((port) => port >= FREE_PORTS.from && port < FREE_PORTS.to)).toEqual([]);
});

test('where somebody listens is passed over', async () => {
  const taken = await freePort();
  const other = await freePort();
  const server = createServer().listen(taken, '127.0.0.1');
  await once(server, 'listening');
  const choices = [taken, taken, other];
  expect(await freePort(() => choices.shift() ?? 0)).toBe(other);
  await expect(freePort(() => taken)).rejects.toThrow('127.0.0.1 has no free port among 100 from 16384 to 32767');
  server.close();
});

test('reports errors other than a port in use', async () => {
  await expect(freePort(() => 65_536)).rejects.toThrow(/65536/);
});
