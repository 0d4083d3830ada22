import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeClose, encodeFrame, encodeText, isCloseCode, OPCODE } from './frame.ts';

/** Takes one unmasked frame to pieces, by the book. */
function decode(frame: Buffer): { opcode: number; payload: Buffer; width: number } {
  const short = frame.readUInt8(1);
  const width = short < 126 ? 0 : short === 126 ? 2 : 8;
  const length = width === 0 ? short : width === 2 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2));
  const payload = frame.subarray(2 + width);
  expect([frame.readUInt8(0) & 0xf0, payload.length]).toEqual([0x80, length]);
  return { opcode: frame.readUInt8(0) & 0x0f, payload, width };
}

describe('a frame', () => {
  test.each([
    [0, 0],
    [125, 0],
    [126, 2],
    [65_535, 2],
    [65_536, 8],
    [300_000, 8],
  ])('of %i bytes says so in %i bytes more', (length, width) => {
    const payload = Buffer.alloc(length, 7);
    expect(decode(encodeFrame(OPCODE.ping, payload))).toEqual({ opcode: 9, payload, width });
  });

  test('of text holds it in UTF-8, however long it becomes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.constantFrom(1, 400), (text, times) => {
        const { opcode, payload } = decode(encodeText(text.repeat(times)));
        expect([opcode, payload.toString()]).toEqual([OPCODE.text, text.repeat(times)]);
      }),
    );
  });

  test('that closes tells the code and why, or nothing', () => {
    expect(decode(encodeClose(1001, 'bye')).payload).toEqual(Buffer.from('\x03\xe9bye', 'latin1'));
    expect(decode(encodeClose(1005, '')).payload).toHaveLength(0);
  });
});

test('codes that may be sent are those of RFC 6455 and the ranges for libraries and applications', () => {
  const allowed = Array.from({ length: 65_536 }, (_, code) => code).filter(isCloseCode);
  expect(allowed.slice(0, 12)).toEqual([1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014]);
  expect([allowed[12], allowed.at(-1), allowed.length]).toEqual([3000, 4999, 2_012]);
});
