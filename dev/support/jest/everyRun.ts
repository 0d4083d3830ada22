import { randomInt } from 'node:crypto';
import { testPackages } from '../installed.ts';
import { whyMissing } from '../requirement.ts';
import { runFolder } from '../testRun.ts';

/**
 * jest's global setup. Installs the packages that only tests need. Chooses and prints the seed of property tests, which `FC_SEED`
 * repeats. Begins the run whose folder the workers share.
 */
// biome-ignore lint/style/noDefaultExport: jest asks for it.
export default async function prepareRun(): Promise<void> {
  await whyMissing(testPackages);
  process.env['FC_SEED'] ??= String(randomInt(2 ** 31));
  console.error(`Properties are tried with FC_SEED=${process.env['FC_SEED']}`);
  runFolder();
}
