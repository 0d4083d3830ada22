import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { findLoopback } from './loopback.ts';

test('refuses loopback addresses at which the server does not answer, as on a Mac', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await findLoopback(port)).toEqual(['127.0.0.1']);
  server.close();
  await once(server, 'close');
  expect(await findLoopback(port)).toEqual([]);
});
