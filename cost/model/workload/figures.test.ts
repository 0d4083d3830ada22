import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
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

  test('are for the period that is asked for, and prices are not', () => {
    const year = figuresIn('en', 'year');
    expect([year.cost(10), year.money(10)]).toEqual(['$120.00', '$10.00']);
    expect(year.range({ low: 1, high: 2 })).toBe('$12.00 – $24.00');
    expect(year.range({ low: 1, high: Number.POSITIVE_INFINITY })).toBe('$12.00, or ruled out');
  });

  test('are written as a place writes them, in US dollars', () => {
    expect(figuresIn('de-DE').money(1_234.5).replace(/\s/, ' ')).toBe('1.234,50 $');
    expect(figuresIn('de-DE').share(0.456)).toBe('46 %');
  });

  test.each([
    ['en', '1,000', 1_000],
    ['en', ' 1,234,567.5 ', 1_234_567.5],
    ['en', '1000', 1_000],
    ['en', '1,00', undefined],
    ['en', '1e6', 1e6],
    ['en', 'many', undefined],
    ['en', '', undefined],
    ['de-DE', '1.000', 1_000],
    ['de-DE', '0,5', 0.5],
    ['fr-FR', '1 000,5', 1_000.5],
    ['de-CH', '1’000', 1_000],
  ])('in %s, %p is %p', (locale, text, value) => expect(figuresIn(locale).read(text)).toBe(value));

  test('reads figures of a field as written', () => {
    const value = fc.oneof(
      fc.integer({ min: 0, max: 1e9 }),
      fc.integer({ min: 0, max: 1e7 }).map((n) => n / 1_000),
    );
    fc.assert(
      fc.property(fc.constantFrom('en-US', 'de-DE', 'fr-FR', 'es-ES', 'de-CH', 'en-IN'), value, (locale, number) => {
        const { read, write } = figuresIn(locale);
        expect(read(write(number))).toBe(number);
      }),
    );
  });
});
