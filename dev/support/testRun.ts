import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the folder of a run to its processes. */
const FOLDER = 'TEST_RUN_FOLDER';

/**
 * The folder that all processes of a run of tests or checks share. The first process that asks begins the run. When that process
 * exits, it prints a line for each reason why something was skipped, and deletes the folder.
 */
export function runFolder(): string {
  const current = process.env[FOLDER];
  if (current !== undefined) return current;
  const folder = mkdtempSync(join(tmpdir(), 'flagwire-tests-'));
  process.env[FOLDER] = folder;
  process.once('exit', () => {
    for (const line of describeSkipped(folder)) console.error(line);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Notes for the end of the run that something was skipped. @param kind noun in the singular, such as `test file` */
export function noteSkipped(kind: string, reason: string): void {
  appendFileSync(listIn(runFolder()), `${JSON.stringify([kind, reason])}\n`);
}

/** Lists what a run has skipped, with a line for each kind and reason. */
export function describeSkipped(folder: string): string[] {
  const list = listIn(folder);
  if (!existsSync(list)) return [];
  const notes = Map.groupBy(readFileSync(list, 'utf8').trim().split('\n'), (note) => note);
  return Array.from(notes, ([note, { length }]) => {
    const [kind, reason] = JSON.parse(note) as string[];
    return `skipped: ${length} ${kind}${length === 1 ? '' : 's'}: ${reason}`;
  });
}

function listIn(folder: string): string {
  return join(folder, 'skipped');
}
