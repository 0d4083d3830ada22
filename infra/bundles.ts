import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { cacheDirectory } from './cacheDirectory.ts';
import { lambdaBuild } from './constructs/lambdaEntry.ts';
import { programOf } from './hostRuntime.ts';
import { repositoryRoot } from './repository.ts';

/*
 * Builds what stacks deploy. The packages contain these bundles, and replace this module (dev/pack).
 */

/** The function whose folder also has the console's page. */
const CONSOLE_ENTRY = 'functions/lambda/console.ts';

/**
 * Bundles a function.
 *
 * @param entry its file, relative to the root of the repository
 * @returns a folder with the bundle, `index.mjs`
 */
export function bundleFunction(entry: string): string {
  const folder = join(cacheDirectory, 'functions', basename(entry, '.ts'));
  const [file] = buildSync({
    ...lambdaBuild,
    mainFields: [...lambdaBuild.mainFields],
    external: [...lambdaBuild.external],
    entryPoints: [join(repositoryRoot, entry)],
    absWorkingDir: repositoryRoot,
    logLevel: 'warning',
    write: false,
  }).outputFiles;
  mkdirSync(folder, { recursive: true });
  // Another synthesis may be reading the folder.
  const part = join(cacheDirectory, `${basename(folder)}-${process.pid}.part`);
  writeFileSync(part, file?.contents ?? '');
  renameSync(part, join(folder, 'index.mjs'));
  if (entry === CONSOLE_ENTRY) bundlePage(join(folder, 'page.json'));
  return folder;
}

/** Builds the console's page into a file, in a process of its own, because a synthesis is synchronous. */
export function bundlePage(file: string): void {
  execFileSync(process.execPath, ['console/page/writePage.ts', file], { cwd: repositoryRoot, stdio: 'inherit' });
}

/** Bundles the host into one file for Bun, with Bun: it reads only its own source maps, which name the sources in stack traces. */
export function bundleHost(path: string): void {
  const output = ['--sourcemap=inline', '--outfile', path];
  execFileSync(programOf('bun'), ['build', 'functions/host/main.ts', '--target=bun', ...output], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
