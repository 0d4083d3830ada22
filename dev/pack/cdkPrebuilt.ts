import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * In the npm package `flagwire-cdk`, this module takes the place of those in {@link REPLACED_IN_CDK}. They bundle functions and the
 * host with esbuild and Bun. `npm run pack` does it instead (cdk.ts).
 */
export const REPLACED_IN_CDK: readonly string[] = ['infra/bundles.ts', 'infra/cacheDirectory.ts'];

const prebuilt = (...path: string[]) => join(import.meta.dirname, '../..', ...path);

export const bundleFunction: typeof import('../../infra/bundles.ts').bundleFunction = (entry) =>
  prebuilt('functions', basename(entry, '.ts'));

export const bundleHost: typeof import('../../infra/bundles.ts').bundleHost = (path) =>
  cpSync(prebuilt('host', 'host.js'), path);

/** In the project of the user: the folder of the package may be read-only. */
export const cacheDirectory = join(process.cwd(), 'node_modules', '.cache', 'flagwire');
