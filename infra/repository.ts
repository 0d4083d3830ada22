import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The directory of package.json: entries, aliases and the lock file are named from here. */
export const repositoryRoot = join(import.meta.dirname, '..');

/** The `context` of cdk.json: CDK's feature flags, which decide how it writes templates. */
export function cdkContext(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(repositoryRoot, 'cdk.json'), 'utf8')).context;
}
