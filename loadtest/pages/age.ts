import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, measuredCode, TESTS } from './measuredCode.ts';
import type { Measurement } from './measurements.ts';

/** Where kept figures come from, and whether what they measure has changed since. */
export interface Age {
  /** The commit that was measured; undefined where it was not noted. */
  readonly commit?: string;
  /** Year, month and day. */
  readonly on?: string;
  readonly state: 'up to date' | 'older than the code' | 'unknown';
}

/**
 * Tells the age of a measurement's figures: by the code that was noted when they were made; where nothing was, by the commit that they name.
 *
 * @param root of the project, a git clone
 */
export function ageOf(root: string, name: string, { figures, code }: Pick<Measurement, 'figures' | 'code'>): Age {
  const path = join(root, figures);
  if (!existsSync(path)) return { state: 'unknown' };
  const { commit, on } = originOf(readFileSync(path, 'utf8'));
  const measured = measuredCode(root, name, commit);
  const isSame = measured === undefined ? isUnchanged(root, commit, code) : measured === digestOf(root, code);
  const state = isSame === undefined ? 'unknown' : isSame ? 'up to date' : 'older than the code';
  return { ...(commit !== undefined && { commit }), ...(on !== undefined && { on }), state };
}

/** Whether code is what it was at a commit; undefined where nobody knows that. */
function isUnchanged(root: string, commit: string | undefined, code: readonly string[]): boolean | undefined {
  if (commit === undefined || !git(root, 'cat-file', '-e', `${commit}^{commit}`)) return undefined;
  return git(root, 'diff', '--quiet', commit, '--', ...code, ...TESTS);
}

/** The oldest commit and day that figures name, in JSON or on a page. */
export function originOf(text: string): Pick<Age, 'commit' | 'on'> {
  const first = (pattern: RegExp) => pattern.exec(text)?.[1];
  const commit =
    first(/"commit": ?"([0-9a-f]{7,40})/) ?? first(/commit `?([0-9a-f]{7,40})/) ?? first(/`([0-9a-f]{12})`/);
  const on =
    first(/"(?:at|startedAt)": ?"(\d{4}-\d\d-\d\d)/) ??
    first(/ on (\d{4}-\d\d-\d\d)/) ??
    first(/\| (\d{4}-\d\d-\d\d) \|/);
  return { ...(commit !== undefined && { commit }), ...(on !== undefined && { on }) };
}

function git(root: string, ...args: string[]): boolean {
  try {
    execFileSync('git', args, { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
