import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The directory of package.json. Entries, aliases and the lock file are relative to it. */
export const repositoryRoot = join(import.meta.dirname, '..');

/** The `context` of cdk.json: CDK's feature flags, which affect its templates. */
export function cdkContext(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(repositoryRoot, 'cdk.json'), 'utf8')).context;
}
