import { z } from 'zod';
import type { Price, PriceSheet } from '../prices/priceSheet.ts';

/** What of the AWS Price List's client is used: the products that fit, each as JSON text. */
export type ProductReader = (
  service: string,
  filters: readonly (readonly [field: string, value: string])[],
) => Promise<readonly string[]>;

const product = z.object({
  product: z.object({ attributes: z.record(z.string(), z.string()) }),
  terms: z.object({
    OnDemand: z.record(
      z.string(),
      z.object({
        effectiveDate: z.string(),
        priceDimensions: z.record(
          z.string(),
          z.object({
            beginRange: z.string(),
            endRange: z.string(),
            pricePerUnit: z.object({ USD: z.string() }),
          }),
        ),
      }),
    ),
  }),
});

/** What distinguishes the plain Linux machine from its siblings with Windows, SQL, dedicated hosts and reservations. */
const LINUX = { operatingSystem: 'Linux', preInstalledSw: 'NA', tenancy: 'Shared', capacitystatus: 'Used' };

/** By which field a product says where it is: data transfer by where it comes from. */
const REGION_FIELDS = ['regionCode', 'fromRegionCode'] as const;

/** A price as AWS lists it, for the unit and tiers of our sheet. */
interface ListedPrice {
  readonly tiers: Price['tiers'];
  /** Since when it holds, as a date. */
  readonly asOf: string;
}

/**
 * Looks one price up in the AWS Price List.
 *
 * @throws Error when there is none, or more than one that differs
 */
export async function lookUp(read: ProductReader, sheet: PriceSheet, price: Price): Promise<ListedPrice> {
  const { service, usageType, family, isGlobal = false } = price.priceList;
  const prefixed = `${sheet.usageTypePrefix}-${usageType}`;
  const machine = usageType.startsWith('BoxUsage') ? Object.entries(LINUX) : [];
  const more = [...(family ? [['productFamily', family] as const] : []), ...machine];
  for (const name of [prefixed, usageType]) {
    // Without a region, what has none in its name is Virginia's unless it is the same everywhere.
    const places = isGlobal ? [[]] : REGION_FIELDS.map((field) => [[field, sheet.region] as const]);
    for (const place of places) {
      const texts = await read(service, [['usagetype', name], ...place, ...more]);
      const found = texts.map((text) => listedFrom(text, price)).filter((each) => each !== undefined);
      const [first] = found;
      if (!first) continue;
      if (found.some((each) => JSON.stringify(each.tiers) !== JSON.stringify(first.tiers)))
        throw new Error(`${service} lists ${found.length} different prices for ${name}`);
      return first;
    }
  }
  throw new Error(`${service} lists no price for ${prefixed} or ${usageType} in ${sheet.region}`);
}

/** @returns undefined for a product that costs nothing, such as one reserved for something else */
function listedFrom(text: string, { per }: Price): ListedPrice | undefined {
  const { terms } = product.parse(JSON.parse(text));
  const [term] = Object.values(terms.OnDemand);
  const dimensions = Object.values(term?.priceDimensions ?? {}).map(({ beginRange, endRange, pricePerUnit }) => ({
    begin: Number(beginRange),
    end: endRange === 'Inf' ? undefined : Number(endRange),
    // Without what binary fractions leave at the end.
    usd: Number((Number(pricePerUnit.USD) * per).toPrecision(10)),
  }));
  const tiers = dimensions
    .toSorted((a, b) => a.begin - b.begin)
    // What is free at first stands in the sheet's own field.
    .filter(({ usd }, index, all) => usd > 0 || all.slice(index).every((later) => later.usd === 0))
    .map(({ end, usd }) => (end === undefined ? { usd } : { upTo: end, usd }));
  if (!term || tiers.length === 0 || tiers.every(({ usd }) => usd === 0)) return undefined;
  return { tiers, asOf: term.effectiveDate.slice(0, 10) };
}
