import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { repositoryRoot } from '../../infra/repository.ts';

/** Folders in `.gitignore`. */
const IGNORED = new Set(['node_modules', 'cdk.out', '.flagwire', 'coverage', 'dist']);

/** Source files of this repository that match glob patterns, also where there is no git. @returns paths from its root */
export function repositoryFiles(...patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: repositoryRoot, exclude: (path) => IGNORED.has(basename(path)) });
}
