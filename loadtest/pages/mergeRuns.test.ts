import { describe, expect, test } from '@jest/globals';
import type { Result } from '../bench/host/result.ts';
import { mergeRuns, mergeTexts } from './mergeRuns.ts';

describe('texts of several runs', () => {
  test.each([
    [['33.5 %', '31 %'], '33.5 · 31 %'],
    [['0.5×', '0.5×'], '0.5×'],
    [['22,000 take 204 MB', '22,000 take 203 MB'], '22,000 take 204 · 203 MB'],
    [['alone'], 'alone'],
    [['host', 'bare ws'], undefined],
  ])('%j are one where only figures differ', (texts, merged) => {
    expect(mergeTexts(texts)).toBe(merged);
  });
});

describe('runs', () => {
  const result = (title: string, rows: Result['rows'], notes: readonly string[] = []): Result => ({
    title,
    head: ['server', 'new/s'],
    rows,
    bounds: [],
    invalid: title.endsWith('2)') ? ['it was late'] : [],
    notes,
    charts: [],
  });

  test('stand side by side in one table for each measurement', () => {
    const merged = mergeRuns([
      result('Storm (run 1)', [['host', 7_123.4]], ['At 5 a second.']),
      result('Held (run 1)', [['host', 1]]),
      result('Storm (run 2)', [['host', 0.12345]], ['At 6 a second.']),
      result('Held (run 2)', [['host', 1]]),
    ]);
    expect(merged.map(({ title, rows, notes }) => [title, rows, notes])).toEqual([
      ['Storm', [['host', '7,123 · 0.123']], ['At 5 · 6 a second.']],
      ['Held', [['host', '1']], []],
    ]);
    expect(merged[0]?.invalid).toEqual(['run 2: it was late']);
  });

  test('whose rows are others have the last one’s', () => {
    const rows = mergeRuns([result('Profile (run 1)', [['a', 1]]), result('Profile (run 2)', [['b', 2]])])[0]?.rows;
    expect(rows).toEqual([['b', '2']]);
  });

  test('one alone is itself', () => {
    expect(mergeRuns([result('Storm', [['host', 5]])])[0]).toMatchObject({ title: 'Storm', rows: [['host', '5']] });
  });
});
