import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { textFrame } from '../testing/clientFrames.ts';
import { type EchoServer, startEchoServer } from '../testing/echoServer.ts';
import { RawClient } from '../testing/rawClient.ts';
import { CLOSE_TIMEOUT_MS } from '../transport/transport.ts';

let server: EchoServer;
const clients: RawClient[] = [];

beforeEach(async () => {
  server = await startEchoServer();
});
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  server.stop();
});

async function open(): Promise<RawClient> {
  const client = await RawClient.open(server.port);
  clients.push(client);
  return client;
}

describe('a WebSocket of the ws library', () => {
  test('is cut off in time if its client does not answer a close', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date', 'setInterval'],
    });
    try {
      const client = await open();
      server.opened[0]?.close(1001, 'going');
      await client.until((text) => text.endsWith('going'));
      jest.advanceTimersByTime(CLOSE_TIMEOUT_MS - 1);
      expect(server.closed).toBe(0);
      jest.advanceTimersByTime(1);
      await client.ended;
    } finally {
      jest.useRealTimers();
    }
    while (server.closed === 0) await sleep(5);
  });

  test('is not read any more after a refusal, also if an earlier answer leaves later', async () => {
    const client = await open();
    const [transport] = server.opened;
    transport?.send('x');
    transport?.close(1008, 'over budget');
    await sleep(50);
    const message = textFrame('y'.repeat(32 * 1024));
    for (let n = 0; n < 1_000; n++) client.write(message);
    await sleep(200);
    expect(client.socket.writableLength).toBeGreaterThan(10 * 1024 * 1024);
  });

  test('is not read any more until its client takes answers', async () => {
    const client = await open();
    client.socket.pause();
    const message = textFrame('x'.repeat(32 * 1024));
    const COUNT = 1_500;
    for (let n = 0; n < COUNT; n++) client.write(message);
    let most = 0;
    for (let before = -1; client.socket.writableLength !== before; await sleep(100)) {
      before = client.socket.writableLength;
      most = Math.max(most, server.opened[0]?.bufferedBytes ?? 0);
    }
    expect(client.socket.writableLength).toBeGreaterThan(10 * 1024 * 1024);
    expect(most).toBeLessThan(1024 * 1024);
    let received = 0;
    client.socket.removeAllListeners('data').on('data', (chunk) => {
      received += chunk.length;
    });
    client.socket.resume();
    while (received < COUNT * (32 * 1024 + 4)) await sleep(5);
  });
});
