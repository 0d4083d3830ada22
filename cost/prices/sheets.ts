import euWest1 from './eu-west-1.json' with { type: 'json' };
import type { PriceSheet } from './priceSheet.ts';
import usEast1 from './us-east-1.json' with { type: 'json' };

/** The regions there is a price sheet for. */
export const REGIONS = ['us-east-1', 'eu-west-1'] as const;

/** One of {@link REGIONS}. */
export type Region = (typeof REGIONS)[number];

const sheets: Readonly<Record<Region, PriceSheet>> = {
  'us-east-1': usEast1,
  'eu-west-1': euWest1,
};

/** The prices of a region. */
export function priceSheetOf(region: Region): PriceSheet {
  return sheets[region];
}
