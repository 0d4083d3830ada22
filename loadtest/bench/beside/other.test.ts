import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { listAddresses, readAddress, readCores } from './other.ts';

test.each([
  ['ws://127.0.0.1:5100', '127.0.0.1', 5100],
  ['ws://featbit.local:5100/', 'featbit.local', 5100],
  ['ws://featbit.local/streaming', 'featbit.local', 80],
])('%s is an address', (text, host, port) => {
  expect(readAddress(text)).toEqual({ host, port, url: `ws://${host}:${port}` });
});

test.each([
  ['wss://featbit.local', 'the generator speaks no TLS'],
  ['http://featbit.local', 'is no ws:// address'],
  ['nowhere', 'is no ws:// address'],
  ['ws://featbit.local/flags', 'has a path'],
])('%s is refused: %s', (text, why) => {
  expect(() => readAddress(text)).toThrow(why);
});

test('connections come to every loopback address on which the server listens', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  expect(await listAddresses({ host: 'localhost', port })).toEqual([{ host: '127.0.0.1', port }]);
  expect(await listAddresses({ host: 'featbit.local', port })).toEqual([{ host: 'featbit.local', port }]);
  server.close();
});

test('a process that is not there has no cores', () => {
  expect(readCores(2 ** 30)).toBeUndefined();
});
