import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { WebSocket } from 'ws';
import { clientFrame } from '../../../dev/emulator/websocket/frames.ts';
import { RawSocket } from '../../../dev/support/rawSocket.ts';
import { cut, textFrame } from '../testing/clientFrames.ts';
import { type EchoServer, startEchoServer } from '../testing/echoServer.ts';
import { RawClient, upgradeRequest } from '../testing/rawClient.ts';

const PAYLOAD = Buffer.alloc(100);
const mask = Uint8Array.of(1, 2, 3, 4);
let server: EchoServer;
const clients: { terminate(): void }[] = [];

beforeEach(async () => {
  server = await startEchoServer();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.terminate();
  server.stop();
});

async function open(): Promise<WebSocket> {
  const client = await RawSocket.open(`ws://127.0.0.1:${server.port}/streaming`);
  clients.push(client);
  return client.socket;
}

function kept(client: RawClient): RawClient {
  clients.push({ terminate: () => client.socket.destroy() });
  return client;
}

describe('a WebSocket', () => {
  test('messages of every length come back', async () => {
    const socket = await open();
    for (const length of [0, 1, 125, 126, 4_000, 128 * 1024]) {
      const text = 'x'.repeat(length);
      socket.send(text);
      expect(String((await once(socket, 'message'))[0])).toBe(text);
    }
  });

  test('pings are answered with what they hold', async () => {
    const socket = await open();
    socket.ping('are you there');
    expect(String((await once(socket, 'pong'))[0])).toBe('are you there');
  });

  test.each([
    [1000, 'done'],
    [4999, ''],
    [1005, ''],
  ])('a close with %i is answered with the same, and the connection ends', async (code, reason) => {
    const socket = await open();
    if (code === 1005) socket.close();
    else socket.close(code, reason);
    const [answer, why] = await once(socket, 'close');
    expect([answer, String(why)]).toEqual([code, reason]);
    while (server.closed === 0) await sleep(5);
  });

  test('a close of ours waits for its answer; nothing is sent after it', async () => {
    const socket = await open();
    const messages: string[] = [];
    socket.on('message', (data) => messages.push(String(data)));
    const [transportOf] = server.opened;
    transportOf?.send('before');
    transportOf?.close(1001, 'going');
    transportOf?.send('after');
    transportOf?.close(1011, 'again');
    const [code, reason] = await once(socket, 'close');
    expect([code, String(reason), messages]).toEqual([1001, 'going', ['before']]);
  });

  test('drops unsent messages without an error when it is cut off', async () => {
    const socket = await open();
    server.opened[0]?.terminate();
    server.opened[0]?.send('too late');
    expect((await once(socket, 'close'))[0]).toBe(1006);
    while (server.closed === 0) await sleep(5);
  });

  test('frames may follow the handshake at once, and one another in one piece', async () => {
    const client = kept(new RawClient(server.port));
    client.write(Buffer.concat([Buffer.from(upgradeRequest()), textFrame('one'), textFrame('two')]));
    await client.until((text) => text.endsWith('\x81\x03one\x81\x03two'));
    expect(client.text).toMatch(/^HTTP\/1.1 101 /);
  });

  test('ends with its client', async () => {
    const client = kept(await RawClient.open(server.port));
    client.socket.end();
    await client.ended;
    while (server.closed === 0) await sleep(5);
    expect(server.closed).toBe(1);
  });

  test('does not fill memory with answers to pings that nobody takes', async () => {
    const client = kept(await RawClient.open(server.port));
    client.socket.pause();
    const pings = Buffer.concat(
      Array.from({ length: 500 }, () => clientFrame({ first: 0x89, payload: PAYLOAD, mask })),
    );
    for (let n = 0; n < 800; n++) client.write(pings);
    let most = 0;
    for (let before = -1; client.socket.writableLength !== before; await sleep(100)) {
      before = client.socket.writableLength;
      most = Math.max(most, server.opened[0]?.bufferedBytes ?? 0);
    }
    expect(most).toBeLessThan(1024 * 1024);
    client.socket.resume();
  });

  test('is ended if an answer is not read for too long, but not if nothing was sent', async () => {
    server.stop();
    server = await startEchoServer(200);
    const [slow, idle] = [kept(await RawClient.open(server.port)), kept(await RawClient.open(server.port))];
    slow.socket.pause();
    server.opened[0]?.send('x'.repeat(16 * 1024 * 1024));
    while (server.closed === 0) await sleep(5);
    expect(server.opened[0]?.bufferedBytes).toBe(0);
    idle.write(textFrame('still here'));
    await idle.until((text) => text.includes('still here'));
    expect(server.closed).toBe(1);
  });

  test('reports once that everything was taken', async () => {
    const client = kept(await RawClient.open(server.port));
    client.socket.pause();
    for (let n = 0; n < 3; n++) server.opened[0]?.send('x'.repeat(8 * 1024 * 1024));
    client.socket.removeAllListeners('data').resume();
    while (server.drained === 0) await sleep(5);
    expect([server.drained, server.opened[0]?.bufferedBytes]).toEqual([1, 0]);
  });
});

test('the same bytes are answered alike, in whatever pieces they come', async () => {
  const payload = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  );
  const frame = fc.record({
    first: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(0x81, 0x81, 0x01, 0x80, 0x89, 0x8a, 0x82, 0x88) },
      { weight: 1, arbitrary: fc.nat(255) },
    ),
    payload,
    mask: fc.constant(mask),
  });
  const answer = async (pieces: readonly Buffer[]) => {
    const client = kept(await RawClient.open(server.port));
    for (const piece of pieces) {
      client.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await client.ended;
    client.socket.destroy();
    return client.frames.toString('hex');
  };
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 6 }), fc.array(fc.nat(300), { maxLength: 4 }), async (frames, at) => {
      // The last one closes the connection if none before it has.
      const last = clientFrame({ first: 0x88, payload: Buffer.from([0x03, 0xe8]), mask });
      const bytes = Buffer.concat([...frames.map(clientFrame), last]);
      const [whole, inPieces] = await Promise.all([answer([bytes]), answer(cut(bytes, at))]);
      expect(inPieces).toBe(whole);
    }),
    { numRuns: 200 },
  );
}, 60_000);
