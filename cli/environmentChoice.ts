import { existsSync, readFileSync } from 'node:fs';
import { ownCommand } from '../shared/runtime/ownCommand.ts';
import type { Environment } from '../shared/store/environments/environment.ts';
import type { FlagStore } from '../shared/store/store.ts';
import { NotFound } from '../shared/store/table/errors.ts';
import { CliError } from './io.ts';
import type { Target } from './target.ts';
import { firstOf } from './text.ts';

/** Maximum number of environments in a message. */
const NAMED_ENVIRONMENTS = 10;

/** The file in a folder that names its environment, unless `--env` or `FLAGWIRE_ENV` names another. */
export const CHOICE_FILE = '.flagwire.json';

/** The environment that this folder's file names. @throws {CliError} if the file is invalid */
export function chosenEnvironment(): string | undefined {
  if (!existsSync(CHOICE_FILE)) return undefined;
  try {
    const { environment: named } = JSON.parse(readFileSync(CHOICE_FILE, 'utf8'));
    if (typeof named === 'string' && named !== '') return named;
  } catch {
    // The same error as for other content.
  }
  throw new CliError(
    `${CHOICE_FILE} must be {"environment": "<name or id>"}; delete it, or write it with: ${ownCommand('flags', 'env use <environment>')}`,
  );
}

/** How to choose one of several environments, as a clause of a message. They are sorted by name. */
function howToChoose(environments: readonly { readonly name: string }[]): string {
  const sorted = environments.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b));
  const all = sorted.length > NAMED_ENVIRONMENTS ? ' (env list shows all)' : '';
  return `choose one with --env, or for this folder with: ${ownCommand('flags', 'env use <environment>')}. Environments: ${firstOf(sorted, NAMED_ENVIRONMENTS)}${all}`;
}

/**
 * The environment of a command: the named one, that of this folder, the default of `npm start`, or the only one.
 *
 * @throws {CliError} if there is none, or no choice among several
 */
export async function chooseEnvironment(target: Target, named?: string): Promise<Environment> {
  const { store, defaultEnvironment } = target;
  if (named !== undefined) return store.environments.find(named);
  const choice = chosenEnvironment();
  if (choice !== undefined) return findChosen(store, choice);
  const all = await store.environments.list();
  const usual = all.find(({ id }) => id === defaultEnvironment) ?? (all.length === 1 ? all[0] : undefined);
  if (usual) return store.environments.find(usual.id);
  // The table is easily a forgotten one of this terminal.
  const place = process.env['FLAGS_TABLE'] === target.table ? ` in the table of FLAGS_TABLE, ${target.table}` : '';
  throw new CliError(
    all.length === 0
      ? `there is no environment yet${place}; create one with: ${ownCommand('flags', 'env create <name>')}`
      : `there are several environments${place}; ${howToChoose(all)}`,
  );
}

async function findChosen({ environments }: FlagStore, choice: string): Promise<Environment> {
  try {
    return await environments.find(choice);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new CliError(
      `${error.message}. ${CHOICE_FILE} names it; choose another with: ${ownCommand('flags', 'env use <environment>')}`,
    );
  }
}
