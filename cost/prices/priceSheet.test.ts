import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { PRICE_KEYS, type PriceKey, unitPrice } from './priceSheet.ts';
import { priceSheetOf, REGIONS } from './sheets.ts';

const amount = z.number().nonnegative();
const tier = z.strictObject({ upTo: z.number().positive().optional(), usd: amount });

const price = z.strictObject({
  what: z.string().min(1),
  unit: z.string().min(1),
  per: z.number().positive(),
  tiers: z.array(tier).min(1).refine(isAscending, 'tiers go up, and only the last is without end'),
  free: z.strictObject({ always: amount }).optional(),
  source: z.url({ hostname: /amazon\.com$/ }),
  asOf: z.string().regex(/^\d{4}-\d{2}(-\d{2})?$/),
  isConfirmed: z.boolean(),
  priceList: z.strictObject({
    service: z.string(),
    usageType: z.string(),
    family: z.string().optional(),
    isGlobal: z.boolean().optional(),
  }),
});

const prices = Object.fromEntries(PRICE_KEYS.map((key) => [key, price])) as Record<PriceKey, typeof price>;
const sheet = z.strictObject({
  region: z.string(),
  name: z.string(),
  usageTypePrefix: z.string(),
  currency: z.literal('USD'),
  prices: z.strictObject(prices),
});

function isAscending(tiers: readonly z.infer<typeof tier>[]): boolean {
  return tiers.every(({ upTo }, index) => {
    if (index === tiers.length - 1) return upTo === undefined;
    return upTo !== undefined && upTo > (tiers[index - 1]?.upTo ?? 0);
  });
}

describe('a price sheet', () => {
  test.each(REGIONS)('the sheet of %s has every price with its source, and nothing else', (region) => {
    expect(sheet.safeParse(priceSheetOf(region)).error?.issues).toBeUndefined();
    expect(priceSheetOf(region).region).toBe(region);
  });

  test.each([
    [[{ upTo: 5, usd: 1 }, { upTo: 3, usd: 1 }, { usd: 1 }]],
    [[{ upTo: 5, usd: 1 }]],
    [[{ usd: 1 }, { usd: 2 }]],
    [[{ usd: -1 }]],
  ])('the schema refuses the tiers %j', (tiers) => {
    expect(price.safeParse({ ...priceSheetOf('us-east-1').prices.alarm, tiers }).success).toBe(false);
  });

  test('gives the price of one', () => {
    const good = priceSheetOf('us-east-1');
    expect(unitPrice(good, 'webSocketMessage')).toBeCloseTo(1e-6, 15);
    expect(unitPrice(good, 't2MicroHour')).toBe(0.0116);
  });
});
