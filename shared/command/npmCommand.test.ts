import { expect, test } from '@jest/globals';
import { fitTerminal } from './npmCommand.ts';

test('a help text fits 80 columns, with its columns and examples whole', () => {
  const words = 'word '.repeat(20).trim();
  const example = `  npm run cost -- ${words}`;
  const lines = fitTerminal(`${words}\n  name  ${words}\n  ${words}\n${example}\n`).split('\n');
  expect(lines.filter((line) => line !== example).every(({ length }) => length <= 80)).toBe(true);
  expect(lines).toEqual([
    expect.stringMatching(/^word/),
    expect.stringMatching(/^word/),
    expect.stringMatching(/^ {2}name {2}word/),
    expect.stringMatching(/^ {8}word/),
    expect.stringMatching(/^ {2}word/),
    expect.stringMatching(/^ {2}word/),
    example,
    '',
  ]);
});
