import { randomInt } from 'node:crypto';

/**
 * jest's global setup: every run tries properties on other inputs, by one seed for all of its files. It is printed, and
 * `FC_SEED` in the environment has the same inputs again.
 */
// biome-ignore lint/style/noDefaultExport: jest asks for it.
export default function chooseSeed(): void {
  process.env['FC_SEED'] ??= String(randomInt(2 ** 31));
  console.error(`Properties are tried with FC_SEED=${process.env['FC_SEED']}`);
}
