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

  test('drops minor columns from a wide table, then shortens the widest one', () => {
    const rows = [['a'.repeat(90), 'on', 'true', '2026']];
    expect(textTable(HEAD, rows, { width: 105, minor: ['version'] })[0]).toBe(`${'flag'.padEnd(90)}  state  serves`);
    expect(textTable(HEAD, rows, { width: 100, minor: ['version', 'serves'] })[1]).toBe(`${'a'.repeat(90)}  on`);
    expect(textTable(['flag', 'state'], [['a'.repeat(120), 'on']], { width: 100 })[1]).toBe(`${'a'.repeat(92)}…  on`);
  });

  test('becomes a paragraph for each row in a narrow terminal', () => {
    expect(textTable(HEAD, [['new-checkout', 'on', '', 'x'.repeat(40)]], { width: 60 })).toEqual([
      'new-checkout',
      '  state: on',
      `  version: ${'x'.repeat(40)}`,
    ]);
  });

  test('fits every terminal of at least 100 characters, if the columns can be short enough', () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 80 }).map((text) => text.replaceAll(/\p{C}/gu, ''));
    const row = fc.array(cell, { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), fc.integer({ min: 100, max: 200 }), (rows, width) => {
        const lines = textTable(HEAD, rows, { width, minor: ['version'] });
        expect(lines).toHaveLength(rows.length + 1);
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
