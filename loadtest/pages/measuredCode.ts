import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

/** Of which code figures are. */
interface Measured {
  /** The commit that the figures name: an entry says nothing of others. */
  readonly commit: string;
  /** {@link digestOf} what was measured. */
  readonly code: string;
}

/** Where it is noted for each measurement, by name. */
const NOTES = 'docs/results/measured.json';

/** Figures are not of them. */
export const TESTS = [':!*.test.ts', ':!*.suite.ts'];

/** What tests share imports this, which nothing else can. */
const TEST_ONLY = "from '@jest/globals'";

/**
 * A digest of files as they lie here, by path and content. Unlike a commit it is the same after a squash or a rebase, and in a clone
 * without history. Of TypeScript it takes what runs: types and comments change no figure.
 *
 * @param root of a git clone
 * @param code its folders and files, as git takes them; tests and what only they use are left out
 * @throws Error outside of a clone
 */
export function digestOf(root: string, code: readonly string[]): string {
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...code, ...TESTS], { cwd: root, encoding: 'utf8' });
  const paths = listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  const hash = createHash('sha256');
  for (const path of paths.sort()) {
    const source = readFileSync(join(root, path));
    if (!source.includes(TEST_ONLY)) hash.update(`${path}\0`).update(whatRuns(path, source)).update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

function whatRuns(path: string, source: Buffer): string | Uint8Array {
  if (!path.endsWith('.ts')) return source;
  return transformSync(source, { loader: 'ts', target: 'esnext', minifyWhitespace: true, legalComments: 'none' }).code;
}

/** What was noted for a measurement's figures; undefined where these name another commit than the note. */
export function measuredCode(root: string, name: string, commit: string | undefined): string | undefined {
  const noted = notes(root)[name];
  return noted?.commit === commit ? noted?.code : undefined;
}

/** Notes of which code a measurement's figures are. */
export function noteMeasured(root: string, name: string, measured: Measured): void {
  const all = Object.entries({ ...notes(root), [name]: measured }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(join(root, NOTES), `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

function notes(root: string): Readonly<Record<string, Measured>> {
  const path = join(root, NOTES);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}
