import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { testPackages } from '../installed.ts';
import { whyMissing } from '../requirement.ts';
import { runFolder } from '../testRun.ts';

/**
 * jest's global setup. The packages that only tests need are installed on first use. Every run tries properties on other inputs,
 * by one seed for all of its files: it is printed, and `FC_SEED` in the environment has the same inputs again. Processes that
 * tests start share what they compile: they start in half the time.
 */
// biome-ignore lint/style/noDefaultExport: jest asks for it.
export default async function prepareRun(): Promise<void> {
  await whyMissing(testPackages);
  process.env['FC_SEED'] ??= String(randomInt(2 ** 31));
  console.error(`Properties are tried with FC_SEED=${process.env['FC_SEED']}`);
  process.env['NODE_COMPILE_CACHE'] = join(runFolder(), 'compiled');
}
