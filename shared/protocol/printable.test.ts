import { describe, expect, test } from '@jest/globals';
import { printable, printableJson } from './printable.ts';

describe('text of callers', () => {
  test.each([
    ['/api/public/insight/track', '/api/public/insight/track'],
    ['/straße/日本/😀', '/straße/日本/😀'],
    ['a\nb\u0000\u001b[31m', 'a\\u{a}b\\u{0}\\u{1b}[31m'],
    ['\u0085\u2028\u202etxt.exe\u200b', '\\u{85}\\u{2028}\\u{202e}txt.exe\\u{200b}'],
    ['\ud800', '\\u{d800}'],
  ])('%j is logged as %j', (text, logged) => {
    expect(printable(text)).toBe(logged);
  });

  test('is cut, and its length told', () => {
    expect(printable('x'.repeat(200))).toBe('x'.repeat(200));
    expect(printable('x'.repeat(14_000))).toBe(`${'x'.repeat(200)}… (14000 characters)`);
  });
});

test('JSON keeps its content and its lines', () => {
  const value = { 'a\u009b': ['\u001b[2J\n', '\u202e\u2028\ud800', '\u{e0041}😀é日'] };
  const json = printableJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(json)).toEqual(value);
  expect(json.split('\n')).toHaveLength(7);
  expect(json).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
  expect(json).toContain('"\\udb40\\udc41😀é日"');
});
