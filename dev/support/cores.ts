import { execFileSync, spawnSync } from 'node:child_process';

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
