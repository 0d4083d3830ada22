import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measurement } from './measurements.ts';

/** Where kept figures come from, and whether what they measure has changed since. */
export interface Age {
  /** The commit that was measured; undefined where it was not noted. */
  readonly commit?: string;
  /** Year, month and day. */
  readonly on?: string;
  readonly state: 'up to date' | 'older than the code' | 'unknown';
}

/** Tells the age of a measurement's figures. @param root of the project, a git clone */
export function ageOf(root: string, { figures, code }: Pick<Measurement, 'figures' | 'code'>): Age {
  const path = join(root, figures);
  if (!existsSync(path)) return { state: 'unknown' };
  const { commit, on } = originOf(readFileSync(path, 'utf8'));
  const known = { ...(commit !== undefined && { commit }), ...(on !== undefined && { on }) };
  if (commit === undefined || !git(root, 'cat-file', '-e', `${commit}^{commit}`)) return { ...known, state: 'unknown' };
  const isSame = git(root, 'diff', '--quiet', commit, '--', ...code, ':!*.test.ts');
  return { ...known, state: isSame ? 'up to date' : 'older than the code' };
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
