import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CLIENT_CLOSE, clientText, frameBytes, ServerFrames } from './serverFrames.ts';

function serverText(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(payload.length < 126 ? 2 : 4);
  head[0] = 0x81;
  head[1] = Math.min(payload.length, 126);
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

test('texts are read in whatever pieces they come', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), { maxLength: 5 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 50 }), (sent, step) => {
      const bytes = Buffer.concat([...sent.map(serverText), Buffer.from([0x88, 0])]);
      const frames = new ServerFrames();
      const read: string[] = [];
      let isClosed = false;
      for (let at = 0; at < bytes.length; at += step) {
        expect(isClosed).toBe(false);
        const result = frames.read(bytes.subarray(at, at + step));
        read.push(...result.texts);
        isClosed = result.isClosed;
      }
      expect([read, isClosed]).toEqual([sent, true]);
    }),
  );
});

test('masks client frames with zeros', () => {
  expect([...clientText('{}')]).toEqual([0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]);
  expect([...clientText('x'.repeat(200)).subarray(0, 9)]).toEqual([0x81, 0xfe, 0, 200, 0, 0, 0, 0, 0x78]);
  expect([...CLIENT_CLOSE]).toEqual([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]);
});

test.each([
  [125, 127],
  [126, 130],
  [65_535, 65_539],
  [65_536, 65_546],
])('a text of %i bytes takes %i on the wire', (length, bytes) => {
  expect(frameBytes('x'.repeat(length))).toBe(bytes);
});
