import { expect, test } from '@jest/globals';
import { readSyntax } from './expressionSyntax.ts';

test.each([
  ['^[a-z]+@acme[.]', true],
  ['(?i)^a\\.b|[^a-z]$', true],
  ['^[\\s\\S]*a', true],
  ['a(?i)b', false],
  ['(?P<n>a)', false],
  ['(?<n>a)', false],
  ['[[:digit:]]', false],
  ['\\p{L}', false],
  ['a\\z', false],
  ['\\x{61}', false],
  ['\\Qa\\E', false],
  ['[a\\]|]', true],
  ['[]a]', false],
  ['[\\p{L}]', false],
  ['[a&&b]', false],
])('the expression %s is portable: %s', (pattern, expected) => {
  expect(readSyntax(pattern).isPortable).toBe(expected);
});

test('an expression has alternatives only outside of groups and classes', () => {
  const found = ['a|b', '(a)|b', '(a|b)', '[|]', '[]|]', '\\|', '[^]|]|', '\\(|'].map(
    (pattern) => readSyntax(pattern).hasAlternatives,
  );
  expect(found).toEqual([true, true, false, false, false, false, true, true]);
});

test('an expression is read in tokens', () => {
  expect(readSyntax('(?i)^a[]\\]b]*\\$$')).toMatchObject({
    options: '(?i)',
    tokens: ['^', 'a', '[]\\]b]', '*', '\\$', '$'],
  });
});
