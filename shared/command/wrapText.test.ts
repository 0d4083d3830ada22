import { expect, test } from '@jest/globals';
import { wrapCommand, wrapText } from './wrapText.ts';

test('a text is wrapped at spaces, with at most 100 characters a line', () => {
  expect(wrapText('a short text', '  ')).toEqual(['  a short text']);
  const words = Array.from({ length: 60 }, (_, n) => `word-${n}`);
  const lines = wrapText(words.join(' '), '    ');
  expect(lines.map((line) => line.slice(4)).join(' ')).toBe(words.join(' '));
  expect(lines.every((line) => line.startsWith('    word-') && line.length <= 100)).toBe(true);
  expect(lines.length).toBe(Math.ceil(words.join(' ').length / 96));
  expect(wrapText(`a ${'x'.repeat(120)} b`, '')).toEqual(['a', 'x'.repeat(120), 'b']);
});

test('a long command continues before an option', () => {
  const command = 'npm run deploy -- prod --set a=1 --set b=2';
  expect(wrapCommand(command, '  ', 80)).toEqual([`  ${command}`]);
  expect(wrapCommand(command, '  ', 36)).toEqual(['  npm run deploy -- prod --set a=1 \\', '    --set b=2']);
  expect(wrapCommand(command, '', 10)).toEqual(['npm run deploy -- prod \\', '  --set a=1 \\', '  --set b=2']);
});
