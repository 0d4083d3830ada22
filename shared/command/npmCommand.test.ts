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

test('a terminal that does not say its width has 80 columns', () => {
  const words = 'word '.repeat(16);
  expect(fitTerminal(`${words}end`, 0)).toBe(`${words.trim()}\nend`);
});

test('a command in a long sentence gets a line of its own', () => {
  const words = 'word '.repeat(10);
  expect(fitTerminal(`${words}to continue it: npm run flags -- plan resume new-checkout`, 60)).toBe(
    `${words}to\ncontinue it:\n  npm run flags -- plan resume new-checkout`,
  );
  expect(fitTerminal('error: npm start is not running with this data directory', 40)).toBe(
    'error: npm start is not running with\nthis data directory',
  );
});

test('two blanks late in a line begin no column', () => {
  const words = 'word '.repeat(12).trim();
  const lines = fitTerminal(`  ${words}  ${words}`, 80).split('\n');
  expect(lines.every((line) => /^ {2}\S/.test(line))).toBe(true);
  expect(lines).toHaveLength(2);
});
