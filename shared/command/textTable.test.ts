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

  test('aligns figures to the right', () => {
    const rows = [
      ['expected', '$5'],
      ['a year', '$60'],
    ];
    expect(textTable(['', 'cost'], rows, { width: 80, areFigures: true })).toEqual([
      '          cost',
      'expected    $5',
      'a year     $60',
    ]);
  });

  test('drops minor columns from a wide table, then wraps the widest one', () => {
    const rows = [['a'.repeat(90), 'on', 'true', '2026']];
    expect(textTable(HEAD, rows, { width: 105, minor: ['version'] })[0]).toBe(`${'flag'.padEnd(90)}  state  serves`);
    expect(textTable(HEAD, rows, { width: 100, minor: ['version', 'serves'] })[1]).toBe(`${'a'.repeat(90)}  on`);
    expect(textTable(['flag', 'state'], [['a'.repeat(120), 'on']], { width: 100 }).slice(1)).toEqual([
      `${'a'.repeat(93)}  on`,
      'a'.repeat(27),
    ]);
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

  test('cuts a cell after eight lines', () => {
    const lines = textTable(['flag', 'state'], [['ab '.repeat(100), 'on']], { width: 30 });
    expect(lines).toHaveLength(9);
    expect(lines.at(-1)).toMatch(/^ab .*…$/);
  });

  test('fits every terminal of at least 46 characters, if the columns can be short enough', () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 80 }).map((text) => text.replaceAll(/\p{C}/gu, ''));
    const row = fc.array(cell, { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), fc.integer({ min: 46, max: 200 }), (rows, width) => {
        const lines = textTable(HEAD, rows, { width, minor: ['version'] });
        expect(lines.length).toBeLessThanOrEqual(8 * rows.length + 1);
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
