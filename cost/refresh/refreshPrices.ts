import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PricingClient, paginateGetProducts } from '@aws-sdk/client-pricing';
import { throughProxy } from '../../shared/runtime/throughProxy.ts';
import { describeCredentialError } from '../../shared/store/table/credentialError.ts';
import { describeNetworkError } from '../../shared/store/table/networkError.ts';
import { priceSheetOf, REGIONS, type Region } from '../prices/sheets.ts';
import type { ProductReader } from './priceList.ts';
import { refreshSheet } from './refreshSheet.ts';

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
    const { sheet, checks } = await refreshSheet(read, priceSheetOf(each), ({ outcome, what, detail }) =>
      console.log(`  ${outcome.padEnd(9)} ${what}: ${detail}`),
    );
    const missing = checks.filter(({ outcome }) => outcome === 'not found').length;
    if (missing > 0) process.exitCode = 1;
    if (missing === checks.length) {
      console.error('  No price was found. Check your AWS credentials.');
      continue;
    }
    const changed = checks.filter(({ outcome }) => outcome === 'changed').length;
    console.log(`  ${changed} of ${checks.length} prices differ, ${missing} were not found.`);
    if (write) writeSheet(each, `${JSON.stringify(sheet, null, 2)}\n`);
    else console.log('  Nothing was written. --write writes the prices found; review the diff afterwards.');
  }
}

/** The whole file or nothing of it. */
function writeSheet(region: Region, text: string): void {
  const path = join(import.meta.dirname, '..', 'prices', `${region}.json`);
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  console.log(`  wrote ${path}`);
}
