import { describe, expect, test } from '@jest/globals';
import { watchFrames } from './frameLimit.ts';

/** A masked frame of `length` bytes, all zero. */
function frame(length: number): Buffer {
  const head =
    length < 126
      ? Buffer.from([0x81, 0x80 | length])
      : length < 65536
        ? Buffer.from([0x81, 0x80 | 126, length >> 8, length & 0xff])
        : Buffer.concat([Buffer.from([0x81, 0x80 | 127, 0, 0, 0, 0]), uint32(length)]);
  return Buffer.concat([head, Buffer.alloc(4), Buffer.alloc(length)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const lengths = [0, 1, 125, 126, 32768, 32769, 65535, 65536, 100_000];

describe('frame watch', () => {
  test.each([1, 2, 3, 7, 1000, 1_000_000])('reads every frame in chunks of %i bytes', (size) => {
    const wire = Buffer.concat(lengths.map(frame));
    const seen: number[] = [];
    const watch = watchFrames((length) => seen.push(length));
    for (let at = 0; at < wire.length; at += size) watch(wire.subarray(at, at + size));
    expect(seen).toEqual(lengths);
  });

  test('reports a frame before its payload has arrived, also an absurd one', () => {
    const seen: number[] = [];
    const watch = watchFrames((length) => seen.push(length));
    watch(Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
    expect(seen).toEqual([Number.POSITIVE_INFINITY]);
    watch(Buffer.alloc(1000, 0x81));
    expect(seen).toHaveLength(1);
  });
});
