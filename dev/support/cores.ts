import { execFileSync } from 'node:child_process';

let isThere: boolean | undefined;

/** Checks whether processes can be pinned to cores here. */
export function hasTaskset(): boolean {
  if (isThere !== undefined) return isThere;
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    isThere = true;
  } catch {
    isThere = false;
  }
  return isThere;
}

/** Pins this process to a core, where `taskset` is installed. */
export function pinMyself(core: number): void {
  if (hasTaskset()) execFileSync('taskset', ['-cp', String(core), String(process.pid)], { stdio: 'ignore' });
}
