import usEast1 from './us-east-1.json' with { type: 'json' };

/** What a deployment can be charged for: one of the prices of us-east-1. Each region's sheet has every one. */
export type PriceKey = keyof typeof usEast1.prices;
export const PRICE_KEYS = Object.keys(usEast1.prices) as PriceKey[];

/** One price: so much up to a quantity, so much beyond, in steps. */
export interface Price {
  readonly what: string;
  readonly unit: string;
  readonly per: number;
  /** Each holds up to a quantity of a month, and the last beyond all. US dollars are for `per` units. */
  readonly tiers: readonly { readonly upTo?: number | undefined; readonly usd: number }[];
  /** Units a month that cost nothing in every account. */
  readonly free?: { readonly always: number };
  readonly source: string;
  /** When it was read there: `2026-11`, or with the day. */
  readonly asOf: string;
  /** Whether it was seen in a second place, such as AWS's Price List; otherwise it is from memory of AWS's page. */
  readonly isConfirmed: boolean;
  /** Where AWS's Price List has it; the usage type without the region's prefix. */
  readonly priceList: {
    readonly service: string;
    readonly usageType: string;
    readonly family?: string;
    readonly isGlobal?: boolean;
  };
}

/** What AWS charges in a region: list prices in US dollars, without tax. */
export interface PriceSheet {
  readonly region: string;
  readonly name: string;
  /** What AWS puts before the usage types of the region. */
  readonly usageTypePrefix: string;
  readonly prices: Readonly<Record<PriceKey, Price>>;
}

/** US dollars for one unit at the first tier: what each costs while there are few. */
export function unitPrice(sheet: PriceSheet, key: PriceKey): number {
  const { tiers, per } = sheet.prices[key];
  return (tiers[0]?.usd ?? 0) / per;
}
