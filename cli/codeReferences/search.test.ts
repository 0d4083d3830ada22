import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aFlag } from '../../shared/testing/builders.ts';
import { runs } from '../../shared/testing/runs.ts';
import { LISTED_REFERENCES, type ReferenceReport, ReferenceSearch } from './search.ts';

function search(keys: readonly string[], ...files: string[]): ReferenceReport {
  const found = new ReferenceSearch(keys.map((key) => aFlag({ key })));
  for (const [index, text] of files.entries()) {
    for (const [line, code] of text.split('\n').entries()) found.search(`${index}.ts`, line + 1, code);
  }
  return found.report();
}

const countsIn = (keys: readonly string[], text: string) =>
  Object.fromEntries(search(keys, text).flags.map(({ key, count }) => [key, count]));

describe('references of a flag', () => {
  test('are the lines with its key, of each file', () => {
    const { flags } = search(['b', 'a'], `x('a')\n\na, a and 'b'`, 'a');
    expect(flags).toEqual([
      {
        key: 'a',
        isArchived: false,
        count: 3,
        references: [
          { file: '0.ts', line: 1 },
          { file: '0.ts', line: 3 },
          { file: '1.ts', line: 1 },
        ],
      },
      { key: 'b', isArchived: false, count: 1, references: [{ file: '0.ts', line: 3 }] },
    ]);
  });

  test.each([
    ['"new-checkout"', 1],
    ['flags.new-checkout.enabled', 1],
    ['See new-checkout.', 1],
    ['key=new-checkout,', 1],
    ['new-checkout-2', 0],
    ['my-new-checkout', 0],
    ['new_checkout', 0],
    ['new-checkoutX', 0],
    ['NEW-CHECKOUT', 0],
  ])('%s', (text, count) => {
    expect(countsIn(['new-checkout'], text)).toEqual({ 'new-checkout': count });
  });

  test('go to the longest key with dots', () => {
    expect(countsIn(['shop', 'shop.cart', 'cart', 'a.b.c'], 'x.shop.cart.y')).toEqual({
      shop: 0,
      'shop.cart': 1,
      cart: 0,
      'a.b.c': 0,
    });
    expect(countsIn(['shop', 'cart'], 'shop.cart')).toEqual({ shop: 1, cart: 1 });
    expect(countsIn(['a.b.c', 'b'], '.a.b.c. a.b')).toEqual({ 'a.b.c': 1, b: 1 });
  });

  test('are found wherever a key is a string', () => {
    const key = fc.stringMatching(/^[\w.-]{1,20}$/);
    fc.assert(
      fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 5 }), fc.nat(), (keys, n) => {
        const wanted = keys[n % keys.length] as string;
        expect(countsIn(keys, `const flag = '${wanted}';`)[wanted]).toBe(1);
      }),
      { numRuns: runs(300) },
    );
  });

  test('are listed up to a limit, and counted above it', () => {
    const { flags, unlisted } = search(['a', 'b'], `${'a\n'.repeat(LISTED_REFERENCES)}b\nb`);
    expect(flags.map(({ count, references }) => [count, references.length])).toEqual([
      [LISTED_REFERENCES, LISTED_REFERENCES],
      [2, 0],
    ]);
    expect(unlisted).toBe(2);
  });
});

describe('calls with unknown keys', () => {
  test('are listed with their lines, those of known keys are not', () => {
    const code = `boolVariation('a', user) || boolVariation('b', user)\nvariation('c')`;
    expect(search(['a'], code).unknown).toEqual([
      { key: 'b', file: '0.ts', line: 1 },
      { key: 'c', file: '0.ts', line: 2 },
    ]);
  });

  test('can have the key in a later line of the file', () => {
    const code = `client.boolVariation(\n\n  'b',\n  user)\nclient.BooleanValue(\n  ctx,\n  "c", false)\nclient.variation(`;
    expect(search(['a'], code, `'d'`).unknown).toEqual([
      { key: 'b', file: '0.ts', line: 3 },
      { key: 'c', file: '0.ts', line: 7 },
    ]);
  });

  test('are listed up to a limit', () => {
    const { unknown, unlisted } = search([], `variation('x')\n`.repeat(LISTED_REFERENCES + 5));
    expect([unknown.length, unlisted]).toEqual([LISTED_REFERENCES, 5]);
  });
});

test('a long line takes linear time', () => {
  const text = [
    `${'.'.repeat(100_000)}`,
    'variation('.repeat(20_000),
    `BooleanValue(${' '.repeat(100_000)}`,
    'a.'.repeat(50_000),
  ];
  expect(search(['a'], text.join('\n')).flags).toMatchObject([{ count: 1 }]);
});
