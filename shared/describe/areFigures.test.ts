import { expect, test } from '@jest/globals';
import { areFigures } from './areFigures.ts';

test.each([
  [['12', '1,200', '–'], true],
  [['$0.03', '–$1.20', '< $1'], true],
  [['12 ms', '95.5 %', '1.2k'], true],
  [['$3 – $5', ''], true],
  [['yes', '–'], false],
  [['12 ms', 'none yet', 'lost'], false],
  [['$12', '**$3**', 'ruled out'], true],
  [['at least 11,500 (1×)', '+3'], true],
  [['2026-11-26'], false],
  [['–', ''], false],
  [[], false],
])('tells whether a column of %j is one of figures', (texts, expected) => expect(areFigures(texts)).toBe(expected));
