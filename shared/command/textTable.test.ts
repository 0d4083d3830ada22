import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { textTable } from './textTable.ts';

const HEAD = ['flag', 'state', 'serves', 'version'];
const ROWS = [
  ['new-checkout', 'on', 'true', '2026-11-27T00:00:00.000Z'],
  ['banner', 'off', 'false', '2026-11-26T00:00:00.000Z'],
];

describe('a table', () => {
  test('aligns columns under their headings, without lines', () => {
    expect(textTable(HEAD, ROWS, { width: 120 })).toEqual([
      'flag          state  serves  version',
      'new-checkout  on     true    2026-11-27T00:00:00.000Z',
      'banner        off    false   2026-11-26T00:00:00.000Z',
    ]);
  });

  test('is tab-separated without headings in a pipe', () => {
    expect(textTable(HEAD, ROWS, {})).toEqual(ROWS.map((row) => row.join('\t')));
  });

  test('aligns figures to the right, and words to the left', () => {
    const rows = [
      ['expected', '$5', 'yes'],
      ['a year', '$60', 'after a trial'],
    ];
    expect(textTable(['', 'cost', 'ready'], rows, { width: 80, areFigures: true })).toEqual([
      '          cost  ready',
      'expected    $5  yes',
      'a year     $60  after a trial',
    ]);
  });

  test('drops minor columns from a wide table', () => {
    const rows = [['a'.repeat(90), 'on', 'true', '2026']];
    expect(textTable(HEAD, rows, { width: 105, minor: ['version'] })[0]).toBe(`${'flag'.padEnd(90)}  state  serves`);
    expect(textTable(HEAD, rows, { width: 100, minor: ['version', 'serves'] })[1]).toBe(`${'a'.repeat(90)}  on`);
  });

  test('wraps only the cell that is too long, between words, and stays a table', () => {
    const rows = [
      ...ROWS.map((row) => row.slice(0, 3)),
      ['colour', 'on', 'red for Norway, blue for Sweden, else 10 % green'],
    ];
    expect(textTable(HEAD.slice(0, 3), rows, { width: 40 })).toEqual([
      'flag          state  serves',
      'new-checkout  on     true',
      'banner        off    false',
      'colour        on     red for Norway,',
      '                     blue for Sweden,',
      '                     else 10 % green',
    ]);
  });

  test('keeps a name of several words in one line while other columns can be shorter', () => {
    const rows = [['Beta users of the shop', 'those in Norway, and 10 % of all others']];
    expect(textTable(['name', 'rules'], rows, { width: 46 })).toEqual([
      'name                    rules',
      'Beta users of the shop  those in Norway, and',
      '                        10 % of all others',
    ]);
  });

  test('becomes paragraphs with all columns if it breaks a word otherwise', () => {
    const rows = [['r-0123456789abcdef', 'agents in Oslo', 'flgw_rel_0123', 'shop', 'on']];
    const head = ['id', 'name', 'begins', 'environments', 'state'];
    expect(textTable(head, rows, { width: 44, minor: ['state'] })).toEqual([
      'r-0123456789abcdef',
      '  name: agents in Oslo',
      '  begins: flgw_rel_0123',
      '  environments: shop',
      '  state: on',
    ]);
  });

  test('becomes paragraphs if a cell takes more than eight lines otherwise', () => {
    expect(textTable(['flag', 'serves'], [['f', Array(50).fill('ab').join(' ')]], { width: 16 })).toEqual([
      'f',
      '  serves: ab',
      ...Array(12).fill('    ab ab ab ab'),
      '    ab',
    ]);
  });

  test('loses no word, and has no line that is too wide unless a word of it is', () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 80 }).map((text) => text.replaceAll(/\p{C}/gu, ''));
    const words = (text: string) => text.split(' ').filter(Boolean);
    const tables = fc
      .tuple(fc.integer({ min: 2, max: 7 }), fc.integer({ min: 34, max: 200 }), fc.boolean())
      .chain(([count, width, areFigures]) => {
        const row = fc.array(cell, { minLength: count, maxLength: count });
        return fc.record({
          rows: fc.array(row, { minLength: 1, maxLength: 5 }),
          width: fc.constant(width),
          areFigures: fc.constant(areFigures),
        });
      });
    fc.assert(
      fc.property(tables, ({ rows, ...options }) => {
        const head = [...HEAD, 'changed by', 'reason', 'type'].slice(0, rows[0]?.length);
        const lines = textTable(head, rows, options);
        for (const line of lines.filter((each) => stringWidth(each) > options.width))
          expect(words(line).map((word) => stringWidth(word) > options.width)).toEqual([true]);
        expect(words(lines.join(' '))).toEqual(expect.arrayContaining(rows.flat().flatMap(words)));
      }),
    );
  });

  test.each([80, 34])('fits %s characters with short words', (width) => {
    const count = width === 80 ? 7 : 4;
    const head = [...HEAD, 'by', 'reason', 'type'].slice(0, count);
    const lines = textTable(head, [Array(count).fill('three small words')], { width });
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width);
    expect(lines[0]).toMatch(/^flag {2,}state/);
  });
});
