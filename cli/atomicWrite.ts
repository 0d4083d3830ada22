import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { CliError } from './io.ts';

/**
 * Writes a file under a temporary name and then renames it, so that it is never incomplete. On failure, nothing is
 * left.
 */
export function writeAtomically(path: string, text: string): void {
  const part = `${path}.part`;
  try {
    writeFileSync(part, text);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw new CliError(`${path} cannot be written: ${(error as Error).message}`);
  }
}
