import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { clientFrame } from '../../../dev/emulator/websocket/frames.ts';
import { relayReply } from '../../../shared/delivery/relayReply.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { type EchoServer, startEchoServer } from '../testing/echoServer.ts';
import { RawClient } from '../testing/rawClient.ts';
import { createCompression } from './compression.ts';
import { isBun } from './listen.ts';

const MB = 1024 ** 2;
const SYNC_FLUSH = { finishFlush: constants.Z_SYNC_FLUSH };

/** The compressed frame of a text that repeats one character. */
function compressedFrame(length: number): Buffer {
  const deflate = (bytes: number) => deflateRawSync(Buffer.alloc(bytes, 'x'), SYNC_FLUSH);
  const repeated = Array.from<Buffer>({ length: Math.floor(length / MB) }).fill(deflate(MB));
  const payload = Buffer.concat([...repeated, deflate(length % MB)]).subarray(0, -4);
  return clientFrame({ first: 0xc1, payload, mask: Uint8Array.of(1, 2, 3, 4) });
}

describe('compression', () => {
  let now = 0;
  const COST_MS = 1;

  /** How many of the messages are compressed, each of which takes a millisecond. */
  function countCompressed(
    compression: ReturnType<typeof createCompression>,
    count: number,
    text = 'x'.repeat(4_096),
  ): number {
    let compressed = 0;
    for (let n = 0; n < count; n++) {
      compression.send(text, (compress) => {
        if (!compress) return;
        compressed++;
        now += COST_MS;
      });
    }
    return compressed;
  }

  test('is for messages from 4 KB on', () => {
    const compression = createCompression(() => now);
    expect(countCompressed(compression, 10, 'x'.repeat(4_095))).toBe(0);
    expect(countCompressed(compression, 10)).toBe(10);
  });

  test('is not for messages with SDK keys', () => {
    const secret = { type: 'server', projectKey: 'p', envId: 'env', envKey: 'e', value: 'x'.repeat(8_192) } as const;
    const environment = { snapshot: compileEnvironment([]), secrets: [secret] };
    const [reply = ''] = relayReply([environment], { timestamp: 0, cursors: new Map() });
    expect(reply).toContain(secret.value);
    expect(
      countCompressed(
        createCompression(() => now),
        10,
        reply,
      ),
    ).toBe(0);
  });

  test('takes at most 8 % of the time in a flood of messages', () => {
    const compression = createCompression(() => now);
    const start = now;
    let spentMs = 0;
    for (; now - start < 10_000; now++) spentMs += countCompressed(compression, 1) * COST_MS;
    expect(spentMs).toBeGreaterThan(0.07 * (now - start));
    expect(spentMs).toBeLessThanOrEqual(0.08 * (now - start) + 21);
  });

  test('saves up at most 20 ms', () => {
    const compression = createCompression(() => now);
    now += 3_600_000;
    expect(countCompressed(compression, 1_000)).toBeLessThanOrEqual(22);
  });

  test('pauses after one large message as long as it took too long', () => {
    const compression = createCompression(() => now);
    compression.send('x'.repeat(4_096), () => (now += 100));
    now += 80 / 0.08 - 101;
    expect(countCompressed(compression, 1)).toBe(0);
    now += 10;
    expect(countCompressed(compression, 1)).toBe(1);
  });
});

describe('a WebSocket whose client offers compression', () => {
  let server: EchoServer;
  let client: RawClient;
  beforeEach(async () => {
    server = await startEchoServer();
    client = await RawClient.open(server.port, ['Sec-WebSocket-Extensions: permessage-deflate']);
  });
  afterEach(() => {
    client.socket.destroy();
    server.stop();
  });

  test('has it on Bun, without memory of earlier messages', () => {
    const [, extensions] = /sec-websocket-extensions: (.*)\r\n/i.exec(client.text) ?? [];
    if (isBun) {
      expect(extensions?.split('; ').sort()).toEqual([
        'client_no_context_takeover',
        'permessage-deflate',
        'server_no_context_takeover',
      ]);
    } else expect(extensions).toBeUndefined();
  });

  if (isBun) {
    test('gets large messages compressed', async () => {
      for (const text of ['x'.repeat(100_000), 'ж€🙂'.repeat(10_000)]) {
        const before = client.frames.length;
        server.opened[0]?.send(text);
        await client.until(() => client.frames.length > before + 4);
        const frame = client.frames.subarray(before);
        expect(frame[0]).toBe(0xc1);
        expect(frame.length).toBeLessThan(1_000);
        const head = (frame[1] as number) < 126 ? 2 : 4;
        expect(String(inflateRawSync(frame.subarray(head), SYNC_FLUSH))).toBe(text);
      }
    });

    test('gets small messages as they are', async () => {
      server.opened[0]?.send('small');
      await client.until((text) => text.endsWith('small'));
      expect(client.frames[0]).toBe(0x81);
    });

    test('may send compressed messages up to the limit of others', async () => {
      client.write(compressedFrame(128 * 1024));
      await client.until(() => client.frames.length > 20);
      expect(client.frames[0]).toBe(0xc1);
      expect(server.closed).toBe(0);
    });

    test.each([
      ['just above the limit', 128 * 1024 + 1],
      ['100 MB, in a frame below the limit', 100 * MB],
      ['1 GB, in a frame of 1 MB', 1024 * MB],
    ])('is closed with 1009 for a message of %s', async (_, length) => {
      const frame = compressedFrame(length);
      const before = process.memoryUsage.rss();
      client.write(frame);
      await client.ended;
      expect(process.memoryUsage.rss() - before).toBeLessThan(16 * MB);
      expect(client.frames.readUInt16BE(2)).toBe(1009);
    });
  }
});
