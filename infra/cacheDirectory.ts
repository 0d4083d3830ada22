import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from './repository.ts';

/** Folder for tools that npm does not have, and for the logs of the last end-to-end run. Git ignores it. */
export const cacheDirectory = join(repositoryRoot, 'node_modules', '.cache', 'flagwire');

/** The file of a log of the last run. Creates its folder. */
export function logFileOf(name: string): string {
  const directory = join(cacheDirectory, 'e2e');
  mkdirSync(directory, { recursive: true });
  return join(directory, `${name}.log`);
}

/**
 * A directory that is created on first use, and kept until its source file changes. Processes that need it at the same time wait for the
 * one that creates it.
 *
 * @param name prefix of its name
 * @param source the file or files that determine its content, such as a list of requirements
 * @param make fills it; after a failure, the next use tries again
 */
export async function keptDirectory(
  name: string,
  source: string | readonly string[],
  make: (directory: string) => Promise<void>,
  cache = cacheDirectory,
): Promise<string> {
  const contents = createHash('sha256');
  for (const file of [source].flat()) contents.update(readFileSync(file));
  const directory = join(cache, `${name}-${contents.digest('hex').slice(0, 12)}`);
  const finished = join(directory, 'finished');
  if (existsSync(finished)) return directory;
  mkdirSync(cache, { recursive: true });
  await alone(`${directory}.lock`, async () => {
    if (existsSync(finished)) return;
    rmSync(directory, { recursive: true, force: true });
    await make(directory);
    writeFileSync(finished, '');
  });
  return directory;
}

/** Runs a function while no other process holds the lock file. The lock of an ended process does not count. */
export async function alone(lock: string, work: () => Promise<void>): Promise<void> {
  while (!take(lock)) {
    if (!isAlive(holderOf(lock))) rmSync(lock, { force: true });
    await sleep(100);
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** @returns this process if the holder is not written yet, or has just released the lock */
function holderOf(lock: string): number {
  try {
    return Number(readFileSync(lock, 'utf8')) || process.pid;
  } catch {
    return process.pid;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
