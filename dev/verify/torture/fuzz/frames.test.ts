import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeFrame, FrameDecoder } from './frames.ts';

const parts = fc.record({
  opcode: fc.integer({ min: 0, max: 15 }),
  payload: fc.uint8Array({ maxLength: 70_000 }).map((bytes) => Buffer.from(bytes)),
  isLast: fc.boolean(),
  reserved: fc.integer({ min: 0, max: 7 }),
  mask: fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
  width: fc.constantFrom(0 as const, 2 as const, 8 as const),
});

describe('frames', () => {
  test('are read as they were written, in whatever pieces they come', () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 4 }), fc.integer({ min: 1, max: 40_000 }), (all, size) => {
        const bytes = Buffer.concat(all.map(encodeFrame));
        const decoder = new FrameDecoder();
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
          bytes.subarray(n * size, (n + 1) * size),
        );
        const read = pieces.flatMap((piece) => decoder.push(piece));
        expect(read).toEqual(all.map(({ mask: _, width: __, ...rest }) => ({ ...rest, isMasked: true })));
      }),
      { numRuns: 50 },
    );
  });

  test('may lie about their length', () => {
    const frame = encodeFrame({ opcode: 1, payload: Buffer.from('ab'), length: 2n ** 64n - 1n });
    expect(frame.toString('hex')).toBe('817fffffffffffffffff6162');
    expect(new FrameDecoder().push(frame)).toEqual([]);
  });
});
