import { execFileSync, spawnSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** The machine that figures were measured on. */
export type Machine = ReturnType<typeof describeMachine>;

export function describeMachine() {
  const all = cpus();
  return { cpu: all[0]?.model.trim() ?? 'unknown', cores: all.length, memoryBytes: totalmem() };
}

/** Folders of figures. A new figure does not change the measured code. */
const FIGURES = [':!docs', ':!README.md'];

/**
 * The commit that is checked out, marked where files other than figures differ from it; "unknown" outside of a clone.
 *
 * @param root the clone's folder
 */
export function describeCommit(root = join(import.meta.dirname, '..', '..')): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', '.', ...FIGURES) !== '';
    return `${git('rev-parse', '--short=12', 'HEAD')}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}

let isThere: boolean | undefined;

/** Checks whether processes can be pinned to cores here. */
export function hasTaskset(): boolean {
  isThere ??= spawnSync('taskset', ['--version']).status === 0;
  return isThere;
}

/** Pins this process to a core, where `taskset` is installed. */
export function pinMyself(core: number): void {
  if (hasTaskset()) execFileSync('taskset', ['-cp', String(core), String(process.pid)], { stdio: 'ignore' });
}
