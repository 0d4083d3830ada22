import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { readExpression } from '../../evaluation/readExpression.ts';
import { matchesWholeText, takingWholeText } from './wholeText.ts';

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '^',
  '$',
  '\\$',
  '\\\\',
  '[a|b]',
  '[^a]',
  '[]$]',
  '\\d',
  '\\s',
  '\\n',
  '\\bb',
  '',
);
const { expression } = fc.letrec<{ expression: string; sequence: string; part: string }>((tie) => ({
  expression: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((all) => all.join('|')),
  sequence: fc.array(tie('part'), { maxLength: 4 }).map((all) => all.join('')),
  part: fc.oneof(
    { maxDepth: 2 },
    atom,
    fc.tuple(fc.constantFrom('(', '(?:'), tie('expression')).map(([open, inner]) => `${open}${inner})`),
    fc.tuple(atom, fc.constantFrom('*', '+', '?', '{2}', '*?')).map((both) => both.join('')),
  ),
}));
const pattern = fc
  .tuple(fc.constantFrom('', '(?i)', '(?s)', '(?m)', '[\\s\\S]*'), expression, fc.constantFrom('', '$', '[\\s\\S]*'))
  .map((parts) => parts.join(''));
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', '\n', '|', '$', ' ', '7', '\\', '\r', 'é', '😀'),
  maxLength: 7,
});

const compiled = (source: string) => {
  try {
    return RE2JS.compile(readExpression(source).source);
  } catch {
    return undefined;
  }
};

test('an expression that takes the whole text finds the same texts in every engine', () => {
  const seen = { changed: 0, found: 0 };
  const property = fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 8 }), (source, texts) => {
    const original = compiled(source);
    if (!original) return;
    const written = takingWholeText(source);
    const whole = compiled(written);
    if (written !== source) seen.changed += 1;
    for (const each of texts) {
      const isFound = original.test(each);
      if (isFound) seen.found += 1;
      expect([source, each, whole?.test(each)]).toEqual([source, each, isFound]);
      if (matchesWholeText(written)) expect([source, each, whole?.matches(each)]).toEqual([source, each, isFound]);
    }
  });
  fc.assert(property, { numRuns: 3_000 });
  expect(seen.changed).toBeGreaterThan(1_000);
  expect(seen.found).toBeGreaterThan(1_000);
});

test.each([
  ['^[a-z]+@acme[.]', '^[a-z]+@acme[.][\\s\\S]*'],
  ['[0-9]', '^[\\s\\S]*[0-9][\\s\\S]*'],
  ['(?i)^a|b$', '(?i)^[\\s\\S]*(?:^a|b$)[\\s\\S]*'],
  ['^?a', '^[\\s\\S]*^?a[\\s\\S]*'],
  ['a\\$', '^[\\s\\S]*a\\$[\\s\\S]*'],
  ['^(a|b)$', '^(a|b)$'],
  ['(?m)^a', '(?m)^a'],
  ['\\Qa', '\\Qa'],
])('%s takes the whole text as %s', (pattern, expected) => {
  expect(takingWholeText(pattern)).toBe(expected);
});
