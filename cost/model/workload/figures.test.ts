import { describe, expect, test } from '@jest/globals';
import { ENGLISH, figuresIn } from './figures.ts';

describe('figures', () => {
  test.each([
    [0, '$0'],
    [0.00123, '$0.0012'],
    [4.2e-7, '$0.00000042'],
    [34.3, '$34.30'],
    [9_999.994, '$9,999.99'],
    [14_857.4, '$14,857'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '–'],
  ])('money: %p is %s', (usd, text) => expect(ENGLISH.money(usd)).toBe(text));

  test('a range has no upper end where the worst assumptions rule an option out', () => {
    expect(ENGLISH.range({ low: 1, high: 2 })).toBe('$1.00 – $2.00');
    expect(ENGLISH.range({ low: 1, high: Number.POSITIVE_INFINITY })).toBe('$1.00, or ruled out');
  });

  test('are written as a place writes them, in US dollars', () => {
    expect(figuresIn('de-DE').money(1_234.5).replace(/\s/, ' ')).toBe('1.234,50 $');
    expect(figuresIn('de-DE').share(0.456)).toBe('46 %');
  });
});
