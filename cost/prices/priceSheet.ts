import { z } from 'zod';
import usEast1 from './us-east-1.json' with { type: 'json' };

/** What a deployment can be charged for: one of the prices of us-east-1. Each region's sheet has every one. */
export type PriceKey = keyof typeof usEast1.prices;
export const PRICE_KEYS = Object.keys(usEast1.prices) as PriceKey[];

const amount = z.number().finite().nonnegative();

/** A step of a price. */
const tier = z.strictObject({
  /** Up to which quantity of a month it holds; without: beyond all. */
  upTo: z.number().positive().optional(),
  /** US dollars for `per` units. */
  usd: amount,
});

const price = z.strictObject({
  what: z.string().min(1),
  unit: z.string().min(1),
  per: z.number().positive(),
  tiers: z.array(tier).min(1).refine(isAscending, 'tiers go up, and only the last is without end'),
  /** Units a month that cost nothing in every account. */
  free: z.strictObject({ always: amount }).optional(),
  source: z.url(),
  /** When it was read there. */
  asOf: z.string().regex(/^\d{4}-\d{2}(-\d{2})?$/, 'a date looks like 2026-11'),
  /** Whether it was seen in a second place, such as AWS's Price List; otherwise it is from memory of AWS's page. */
  isConfirmed: z.boolean(),
  /** Where AWS's Price List has it; the usage type without the region's prefix. */
  priceList: z.strictObject({
    service: z.string(),
    usageType: z.string(),
    family: z.string().optional(),
    isGlobal: z.boolean().optional(),
  }),
});

const schema = z.strictObject({
  region: z.string(),
  name: z.string(),
  /** What AWS puts before the usage types of the region. */
  usageTypePrefix: z.string(),
  currency: z.literal('USD'),
  prices: z.strictObject(Object.fromEntries(PRICE_KEYS.map((key) => [key, price])) as Record<PriceKey, typeof price>),
});

/** One price: so much up to a quantity, so much beyond, in steps. */
export type Price = z.infer<typeof price>;

/** What AWS charges in a region: list prices in US dollars, without tax. */
export type PriceSheet = z.infer<typeof schema>;

/** @throws Error naming the price that is missing, unknown or malformed */
export function parsePriceSheet(json: unknown): PriceSheet {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`price sheet: ${issue?.path.join('.') || 'it'} ${issue?.message}`);
}

/** US dollars for one unit at the first tier: what each costs while there are few. */
export function unitPrice(sheet: PriceSheet, key: PriceKey): number {
  const { tiers, per } = sheet.prices[key];
  return (tiers[0]?.usd ?? 0) / per;
}

/** Whether tiers go up, and only the last is without end. */
function isAscending(tiers: readonly z.infer<typeof tier>[]): boolean {
  return tiers.every(({ upTo }, index) => {
    if (index === tiers.length - 1) return upTo === undefined;
    return upTo !== undefined && upTo > (tiers[index - 1]?.upTo ?? 0);
  });
}
