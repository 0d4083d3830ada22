import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PricingClient, paginateGetProducts } from '@aws-sdk/client-pricing';
import { Option } from 'commander';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { priceSheetOf, REGIONS, type Region } from '../prices/sheets.ts';
import { refresh } from './difference.ts';
import type { ProductReader } from './priceList.ts';

/** Where the Price List can be asked, for all regions. */
const PRICE_LIST_REGION = 'us-east-1';

const program = npmCommand('prices', 'The price sheets in cost/prices.');
program
  .command('refresh')
  .description(
    'Look every price up in the AWS Price List, with your AWS credentials (pricing:GetProducts), and show what differs.',
  )
  .addOption(new Option('--region <region>', 'one sheet only').choices([...REGIONS]))
  .option('--write', 'take over what was found; without it nothing is changed')
  .action(run);
program.action(() => program.help());
await program.parseAsync();

async function run({ region, write = false }: { readonly region?: Region; readonly write?: boolean }): Promise<void> {
  const client = new PricingClient({ region: PRICE_LIST_REGION });
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
    const { sheet, looked } = await refresh(read, priceSheetOf(each), ({ outcome, what, detail }) =>
      console.log(`  ${outcome.padEnd(9)} ${what}: ${detail}`),
    );
    const missing = looked.filter(({ outcome }) => outcome === 'not found').length;
    if (missing === looked.length) {
      console.error('  nothing was found, so nothing is known: check your AWS credentials.');
      process.exitCode = 1;
      continue;
    }
    if (missing > 0) process.exitCode = 1;
    const changed = looked.filter(({ outcome }) => outcome === 'changed').length;
    console.log(`  ${changed} of ${looked.length} differ, ${missing} were not found.`);
    if (write) keep(each, `${JSON.stringify(sheet, null, 2)}\n`);
    else console.log('  Nothing was written: --write takes over what was found; then look at the diff.');
  }
}

/** The whole file or nothing of it. */
function keep(region: Region, text: string): void {
  const path = join(import.meta.dirname, '..', 'prices', `${region}.json`);
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  console.log(`  wrote ${path}`);
}
