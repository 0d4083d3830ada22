import type { Price } from './priceSheet.ts';

/** Hours of AWS's month. */
export const MONTH_HOURS = 730;

/** Whose free allowances count: nobody's, or every account's. */
export const FREE_TIERS = ['none', 'always'] as const;

/** One of {@link FREE_TIERS}. */
export type FreeTier = (typeof FREE_TIERS)[number];

/** What a quantity costs in US dollars: each part of it at the price of the tier that it falls into. */
export function tieredCost({ tiers, per }: Pick<Price, 'tiers' | 'per'>, quantity: number): number {
  let lower = 0;
  let usd = 0;
  for (const tier of tiers) {
    const upper = tier.upTo ?? Number.POSITIVE_INFINITY;
    usd += (Math.max(0, Math.min(quantity, upper) - lower) / per) * tier.usd;
    lower = upper;
  }
  return usd;
}
