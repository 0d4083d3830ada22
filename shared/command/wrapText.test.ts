import { expect, test } from '@jest/globals';
import { wrapText } from './wrapText.ts';

test('a text is wrapped at spaces, with at most 100 characters a line', () => {
  expect(wrapText('a short text', '  ')).toEqual(['  a short text']);
  const words = Array.from({ length: 60 }, (_, n) => `word-${n}`);
  const lines = wrapText(words.join(' '), '    ');
  expect(lines.map((line) => line.slice(4)).join(' ')).toBe(words.join(' '));
  expect(lines.every((line) => line.startsWith('    word-') && line.length <= 100)).toBe(true);
  expect(lines.length).toBe(Math.ceil(words.join(' ').length / 96));
  expect(wrapText(`a ${'x'.repeat(120)} b`, '')).toEqual(['a', 'x'.repeat(120), 'b']);
});
