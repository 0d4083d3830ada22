import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** The machine that figures were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
}

export function describeMachine(): Machine {
  const all = cpus();
  return { cpu: all[0]?.model.trim() ?? 'unknown', cores: all.length, memoryBytes: totalmem() };
}

/**
 * The commit that is checked out, marked where files differ from it; "unknown" outside of a clone.
 *
 * @param paths folders whose files are compared; all by default
 */
export function describeCommit(...paths: readonly string[]): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: join(import.meta.dirname, '..', '..'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', ...paths) !== '';
    return `${git('rev-parse', '--short=12', 'HEAD')}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}
