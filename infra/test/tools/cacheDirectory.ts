import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../cdk/constructs/bundling.ts';

/** Where tools that npm does not have are kept, and the logs of the last end-to-end run. Git ignores it. */
export const cacheDirectory = join(repositoryRoot, 'node_modules', '.cache', 'flagwire');

/** The file of a log of the last run; the directory is there afterwards. */
export function logFileOf(name: string): string {
  const directory = join(cacheDirectory, 'e2e');
  mkdirSync(directory, { recursive: true });
  return join(directory, `${name}.log`);
}
