import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { freePort } from '../../dev/support/freePort.ts';
import { decodeToken } from '../../shared/protocol/token.ts';
import { NotReady, preflight } from './preflight.ts';

/** A client key as they look; of an environment that nobody has. */
const KEY = 'AAAAAAAAAAAAAAAAAAAAAAyJIrnvSv2EufAWInB85M1A';
let server: ReturnType<typeof createServer>;
let url: string;
let isRefusing = false;

beforeAll(async () => {
  server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (isRefusing) {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      const token = decodeToken(new URL(request.url ?? '', 'http://x').searchParams.get('token') ?? '');
      const age = Math.abs(Date.now() - (token?.timestamp ?? 0));
      if (!token || age > 30_000) client.close(4003);
      client.on('message', () => client.send('{"messageType":"data-sync","data":{}}'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
});
afterAll(() => {
  server.close();
});

describe('the check before load is sent', () => {
  test('accepts a target that answers', async () => {
    await expect(preflight(url, KEY)).resolves.toBe('{"messageType":"data-sync","data":{}}');
  });

  test('names a target that is down', async () => {
    await expect(preflight(`ws://127.0.0.1:${await freePort()}`, KEY)).rejects.toThrow('Is the target running?');
  });

  test('refuses a token that is too old, with what to look at', async () => {
    const late = preflight(url, KEY, () => Date.now() - 60_000);
    await expect(late).rejects.toThrow(NotReady);
    await expect(late).rejects.toThrow('closed the connection with 4003. The target refuses the key. Check the secret');
  });

  test('refuses a key that the target refuses in the way of API Gateway', async () => {
    isRefusing = true;
    await expect(preflight(url, KEY)).rejects.toThrow('403. The target refuses the key');
  });
});
