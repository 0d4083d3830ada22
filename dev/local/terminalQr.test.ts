import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@jest/globals';
import { terminalQr } from './terminalQr.ts';

test('a code is a square of block characters, two rows a line, with a light edge', () => {
  const lines = stripVTControlCharacters(terminalQr('http://192.168.1.20:5100/try')).split('\n');
  const [first = ''] = lines;
  expect(lines.map(({ length }) => length)).toEqual(lines.map(() => first.length));
  expect(lines).toHaveLength(Math.ceil(first.length / 2));
  expect(lines.join('')).toMatch(/^[█▀▄ ]+$/);
  expect(first).toMatch(/^█+$/);
  expect(lines.every((line) => (line.startsWith('██') && line.endsWith('██')) || line === lines.at(-1))).toBe(true);
});
