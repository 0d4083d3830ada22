import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PricingClient, paginateGetProducts } from '@aws-sdk/client-pricing';
import { throughProxy } from '../../shared/runtime/throughProxy.ts';
import { describeCredentialError } from '../../shared/store/table/credentialError.ts';
import { describeNetworkError } from '../../shared/store/table/networkError.ts';
import { PRICE_KEYS, type Price, type PriceSheet } from '../prices/priceSheet.ts';
import { priceSheetOf, REGIONS, type Region } from '../prices/sheets.ts';
import { lookUp, type ProductReader } from './priceList.ts';

/** Where the Price List can be asked, for all regions. */
const PRICE_LIST_REGION = 'us-east-1';

/** `npm run cost -- prices refresh`: compares the price sheets with AWS's Price List. */
export async function refreshPrices({
  region,
  write = false,
}: {
  readonly region?: Region;
  readonly write?: boolean;
}): Promise<void> {
  const client = new PricingClient({ region: PRICE_LIST_REGION, requestHandler: throughProxy() });
  try {
    await client.config.credentials();
  } catch (error) {
    // Otherwise each of the prices fails.
    const failure = error as Error;
    console.error(`cost: ${describeNetworkError(failure) ?? describeCredentialError(failure) ?? failure.message}`);
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
  for (const each of region ? [region] : REGIONS) {
    console.log(`${each}:`);
    const { sheet, changed, missing } = await refreshSheet(read, priceSheetOf(each), console.log);
    if (missing > 0) process.exitCode = 1;
    if (missing === PRICE_KEYS.length) {
      console.error('  No price was found. Check your AWS credentials.');
      continue;
    }
    console.log(`  ${changed} of ${PRICE_KEYS.length} prices differ, ${missing} were not found.`);
    if (write) writeSheet(each, `${JSON.stringify(sheet, null, 2)}\n`);
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

/** The whole file or nothing of it. */
function writeSheet(region: Region, text: string): void {
  const path = join(import.meta.dirname, '..', 'prices', `${region}.json`);
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  console.log(`  wrote ${path}`);
}
