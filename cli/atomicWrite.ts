import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { CliError } from './io.ts';

/** Writes a file under another name first, so that a part of it is never taken for all, and leaves nothing where that fails. */
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
