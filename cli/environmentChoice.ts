import { existsSync, readFileSync, rmSync } from 'node:fs';
import { isJsonObject } from '../shared/flags/reader.ts';
import { writeAtomically } from './atomicWrite.ts';
import { CliError } from './io.ts';

/** The file of a folder that says which environment commands take there where nothing else names one. */
export const CHOICE_FILE = '.flagwire.json';

/** The environment that this folder's file names. @throws {CliError} for a file that names none */
export function chosenEnvironment(): string | undefined {
  if (!existsSync(CHOICE_FILE)) return undefined;
  const content = parse(readFileSync(CHOICE_FILE, 'utf8'));
  const named = isJsonObject(content) ? content['environment'] : undefined;
  if (typeof named === 'string' && named !== '') return named;
  throw new CliError(
    `${CHOICE_FILE} must be {"environment": "<name or id>"}: write it by env use <environment>, or delete it`,
  );
}

/** Makes the file name an environment; without one, removes it. @throws {CliError} when it cannot be written */
export function chooseForFolder(named: string | undefined): void {
  if (named === undefined) rmSync(CHOICE_FILE, { force: true });
  else writeAtomically(CHOICE_FILE, `${JSON.stringify({ environment: named }, null, 2)}\n`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
