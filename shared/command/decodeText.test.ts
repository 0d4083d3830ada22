import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeText, NotText } from './decodeText.ts';

const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();

test('any text is read from UTF-8 and UTF-16, with a mark or UTF-8 without', () => {
  const texts = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && !text.startsWith('\ufeff'));
  const check = () =>
    fc.assert(
      fc.property(texts, (text) => {
        const marked = Buffer.from(`\ufeff${text}`, 'utf16le');
        for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), marked, swapped(marked)]) {
          if (decodeText(bytes) !== text) throw new Error(bytes.toString('hex'));
        }
      }),
    );
  expect(check).not.toThrow();
});

test.each<[string, Buffer, string]>([
  ['Latin-1', Buffer.from('ann\nj\u00f6rg\n', 'latin1'), 'line 2 has bytes that are not UTF-8. Save the file as UTF-8'],
  ['UTF-16 without a mark', Buffer.from('ann\n', 'utf16le'), 'line 1 has bytes that are not UTF-8.'],
  ['UTF-32', Buffer.from('fffe000061000000', 'hex'), 'line 1 has bytes that are not UTF-16LE.'],
  ['an odd number of bytes', Buffer.from('fffe610062', 'hex'), 'line 1 has bytes that are not UTF-16LE.'],
  ['half a character', Buffer.from('e282', 'hex'), 'line 1 has bytes that are not UTF-8.'],
])('%s is refused with the line and the way out', (_, bytes, says) => {
  expect(() => decodeText(bytes)).toThrow(NotText);
  expect(() => decodeText(bytes)).toThrow(says);
});

test('an empty file is empty text', () => {
  expect(decodeText(Buffer.alloc(0))).toBe('');
});
