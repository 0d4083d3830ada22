import type { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as ws from 'ws';
import { FrameReader } from './frameReader.ts';
import { clientFrame, cut } from './testing/clientFrames.ts';

/** The library's reader of frames, which its types do not tell of. */
const { Receiver } = ws as unknown as { Receiver: new (options: object) => Writable };

const LIMIT = 300;

/** What was made of some bytes, an event a line; the same form for both readers. */
type Account = string[];

function read(pieces: readonly Buffer[]): Account {
  const account: Account = [];
  const reader = new FrameReader(
    {
      onText: (text) => account.push(`text ${text}`),
      onBinary: () => account.push('binary'),
      onPing: (payload) => account.push(`ping ${payload.toString('hex')}`),
      onCloseFrame: (code, reason) => account.push(`close ${code} ${reason}`),
      onViolation: (code) => account.push(`violation ${code}`),
    },
    LIMIT,
  );
  for (const piece of pieces) reader.read(Buffer.from(piece));
  return account;
}

/** The same by the `ws` library, whose reader is a stream that goes on in later ticks. */
async function readByWs(pieces: readonly Buffer[]): Promise<Account> {
  const account: Account = [];
  const receiver = new Receiver({ isServer: true, maxPayload: LIMIT });
  receiver.on('message', (data: Buffer, isBinary: boolean) => account.push(isBinary ? 'binary' : `text ${data}`));
  receiver.on('ping', (payload: Buffer) => account.push(`ping ${payload.toString('hex')}`));
  receiver.on('conclude', (code: number, reason: Buffer) => account.push(`close ${code} ${reason}`));
  receiver.on('error', (error: object) => {
    const status = Object.getOwnPropertySymbols(error).find(({ description }) => description === 'status-code');
    account.push(`violation ${status && (error as Record<symbol, unknown>)[status]}`);
  });
  for (const piece of pieces) {
    if (receiver.destroyed) break;
    await new Promise<void>((resolve) => receiver.write(Buffer.from(piece), () => resolve()));
  }
  await new Promise((resolve) => setImmediate(resolve));
  return account;
}

const payload = fc.oneof(
  fc.string({ maxLength: 40 }).map((text) => Buffer.from(text)),
  fc.string({ unit: 'binary', maxLength: 60 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 130 }).map((bytes) => Buffer.from(bytes)),
  fc.integer({ min: 100, max: LIMIT + 20 }).map((length) => Buffer.alloc(length, 'é')),
);
const closing = fc
  .tuple(
    fc.oneof(fc.constantFrom(0, 999, 1000, 1001, 1004, 1005, 1006, 1014, 1015, 2999, 3000, 4999, 5000), fc.nat(65_535)),
    payload,
  )
  .map(([code, reason]) => Buffer.concat([Buffer.from([code >> 8, code & 255]), reason]));
const mask = fc.uint8Array({ minLength: 4, maxLength: 4 });
const width = fc.constantFrom<(0 | 2 | 8)[]>(0, 0, 0, 2, 8);

/** Mostly what a client may send, with every kind of breach among it. */
const frame = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      first: fc.constantFrom(0x81, 0x82, 0x01, 0x02, 0x00, 0x80, 0x89, 0x8a),
      payload,
      mask,
      width,
    }),
  },
  { weight: 2, arbitrary: fc.record({ first: fc.constant(0x88), payload: fc.oneof(closing, payload), mask, width }) },
  { weight: 1, arbitrary: fc.record({ first: fc.nat(255), payload, mask, width }) },
  { weight: 1, arbitrary: fc.record({ first: fc.constantFrom(0x81, 0x01), payload, width }) },
);
const stream = fc
  .tuple(fc.array(frame, { minLength: 1, maxLength: 8 }), fc.uint8Array({ maxLength: 6 }))
  .map(([frames, rest]) => Buffer.concat([...frames.map(clientFrame), rest]));
const cuts = fc.array(fc.nat(1_000), { maxLength: 12 });

describe('whatever a client sends, in whatever pieces', () => {
  test('is read as the ws library reads it', async () => {
    await fc.assert(
      fc.asyncProperty(stream, cuts, async (bytes, at) => {
        const pieces = cut(bytes, at);
        expect(read(pieces)).toEqual(await readByWs(pieces));
      }),
      { numRuns: 3_000 },
    );
  });

  test('is read the same as in one piece', () => {
    fc.assert(
      fc.property(stream, cuts, (bytes, at) => {
        expect(read(cut(bytes, at))).toEqual(read([bytes]));
      }),
      { numRuns: 3_000 },
    );
  });

  test('makes no difference to what came before it', () => {
    const good = clientFrame({ first: 0x81, payload: Buffer.from('ok'), mask: Uint8Array.of(1, 2, 3, 4), width: 0 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (garbage) => {
        expect(read([Buffer.concat([good, garbage])])[0]).toBe('text ok');
      }),
    );
  });
});
