import { describe, expect, test } from '@jest/globals';
import { PRICE_KEYS, type PriceSheet, parsePriceSheet, unitPrice } from './priceSheet.ts';
import { priceSheetOf, REGIONS } from './sheets.ts';

const good = priceSheetOf('us-east-1');
const broken = (change: (sheet: { prices: Record<string, Record<string, unknown>> }) => void): unknown => {
  const sheet = structuredClone(good) as never;
  change(sheet);
  return sheet;
};

describe('a price sheet', () => {
  test.each(REGIONS)('the sheet of %s has every price with its source, in its own file', (region) => {
    const sheet: PriceSheet = priceSheetOf(region);
    expect(sheet.region).toBe(region);
    expect(Object.keys(sheet.prices).sort()).toEqual([...PRICE_KEYS].sort());
    for (const { source } of Object.values(sheet.prices)) expect(new URL(source).hostname).toMatch(/amazon\.com$/);
  });

  test.each<[string, (sheet: { prices: Record<string, Record<string, unknown>> }) => void, string]>([
    ['lacks a price', ({ prices }) => delete prices['alarm'], 'prices.alarm'],
    ['has one that nothing asks for', ({ prices }) => (prices['coffee'] = prices['alarm'] ?? {}), 'coffee'],
    [
      'has a negative one',
      ({ prices }) => ((prices['alarm'] ?? {})['tiers'] = [{ usd: -1 }]),
      'prices.alarm.tiers.0.usd',
    ],
    [
      'has tiers that go down',
      ({ prices }) => ((prices['alarm'] ?? {})['tiers'] = [{ upTo: 5, usd: 1 }, { upTo: 3, usd: 1 }, { usd: 1 }]),
      'tiers go up',
    ],
    [
      'has a last tier with an end',
      ({ prices }) => ((prices['alarm'] ?? {})['tiers'] = [{ upTo: 5, usd: 1 }]),
      'only the last is without end',
    ],
    ['has a price without a source', ({ prices }) => delete prices['alarm']?.['source'], 'prices.alarm.source'],
  ])('refuses a sheet that %s, by name', (_, change, message) => {
    expect(() => parsePriceSheet(broken(change))).toThrow(message);
  });

  test('gives the price of one', () => {
    expect(unitPrice(good, 'webSocketMessage')).toBeCloseTo(1e-6, 15);
    expect(unitPrice(good, 't2MicroHour')).toBe(0.0116);
  });
});
