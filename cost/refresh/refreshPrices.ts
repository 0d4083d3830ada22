import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PricingClient, paginateGetProducts } from '@aws-sdk/client-pricing';
import { throughProxy } from '../../shared/runtime/throughProxy.ts';
import { describeCredentialError } from '../../shared/store/table/credentialError.ts';
import { PRICE_KEYS, type Price, type PriceSheet } from '../prices/priceSheet.ts';
import { priceSheetOf, REGIONS } from '../prices/sheets.ts';

/** Where the Price List can be asked, for all regions. */
const PRICE_LIST_REGION = 'us-east-1';

/** `npm run cost -- prices refresh`: compares the price sheets with AWS's Price List. */
export async function refreshPrices({ write = false }: { readonly write?: boolean }): Promise<void> {
  const client = new PricingClient({ region: PRICE_LIST_REGION, requestHandler: throughProxy() });
  // Without credentials, each of the prices would fail.
  const problem = await client.config.credentials().then(
    () => undefined,
    (error: Error) => describeCredentialError(error) ?? error.message,
  );
  if (problem !== undefined) {
    console.error(`cost: ${problem}`);
    process.exitCode = 1;
    return;
  }
  const read: ProductReader = async (ServiceCode, filters) => {
    const Filters = filters.map(([Field, Value]) => ({ Type: 'TERM_MATCH' as const, Field, Value }));
    const found: string[] = [];
    for await (const { PriceList = [] } of paginateGetProducts({ client }, { ServiceCode, Filters })) {
      found.push(...PriceList.map(String));
    }
    return found;
  };
  for (const region of REGIONS) {
    console.log(`${region}:`);
    const { sheet, changed, missing } = await refreshSheet(read, priceSheetOf(region), console.log);
    if (missing > 0) process.exitCode = 1;
    console.log(`  ${changed} of ${PRICE_KEYS.length} prices differ, ${missing} were not found.`);
    const path = join(import.meta.dirname, '..', 'prices', `${region}.json`);
    if (write) writeFileSync(path, `${JSON.stringify(sheet, null, 2)}\n`);
    else console.log('  Nothing was written. --write writes the prices found; review the diff afterwards.');
  }
}

/**
 * Looks up every price of a sheet. A price that is found becomes confirmed, with the date from which AWS lists it. One that is not found stays as
 * it is.
 *
 * @param say prints a line for each price
 * @returns the sheet with what was found, and how many prices changed or were not found
 */
export async function refreshSheet(read: ProductReader, sheet: PriceSheet, say: (line: string) => void) {
  const prices = { ...sheet.prices };
  let [changed, missing] = [0, 0];
  for (const key of PRICE_KEYS) {
    const price = prices[key];
    try {
      const { tiers, asOf } = await lookUp(read, sheet, price);
      const [before, after] = [describe(price.tiers), describe(tiers)];
      prices[key] = { ...price, tiers, asOf, isConfirmed: true };
      if (before !== after) changed++;
      say(before === after ? `  same      ${price.what}: ${after}` : `  changed   ${price.what}: ${before} → ${after}`);
    } catch (error) {
      missing++;
      say(`  not found ${price.what}: ${(error as Error).message}`);
    }
  }
  return { sheet: { ...sheet, prices }, changed, missing };
}

function describe(tiers: Price['tiers']): string {
  return tiers.map(({ upTo, usd }) => (upTo === undefined ? `$${usd}` : `$${usd} up to ${upTo}`)).join(', ');
}

/** What of the AWS Price List's client is used: the products that fit, each as JSON text. */
export type ProductReader = (
  service: string,
  filters: readonly (readonly [field: string, value: string])[],
) => Promise<readonly string[]>;

/** A product of the Price List, as far as it is read. */
interface Product {
  readonly terms: {
    readonly OnDemand: Readonly<Record<string, { readonly effectiveDate: string; readonly priceDimensions: object }>>;
  };
}

/** A step of its price. */
interface Dimension {
  readonly beginRange: string;
  readonly endRange: string;
  readonly pricePerUnit: { readonly USD: string };
}

/** What distinguishes the plain Linux machine from its siblings with Windows, SQL, dedicated hosts and reservations. */
const LINUX = { operatingSystem: 'Linux', preInstalledSw: 'NA', tenancy: 'Shared', capacitystatus: 'Used' };

/** By which field a product says where it is: data transfer by where it comes from. */
const REGION_FIELDS = ['regionCode', 'fromRegionCode'] as const;

/** A price as AWS lists it, for the unit and tiers of our sheet, and since when it holds. */
type ListedPrice = Pick<Price, 'tiers' | 'asOf'>;

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
  const { terms } = JSON.parse(text) as Product;
  const [term] = Object.values(terms.OnDemand);
  const steps: readonly Dimension[] = Object.values(term?.priceDimensions ?? {});
  const dimensions = steps.map(({ beginRange, endRange, pricePerUnit }) => ({
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
