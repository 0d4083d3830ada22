import { Option } from 'commander';
import type { Environment } from '../shared/store/environments/environment.ts';
import { CliError, type Io } from './io.ts';

/** The options of a command that may change a production environment. */
export interface ConfirmOptions {
  readonly yes?: boolean;
  /** False with `--no-input`. */
  readonly input?: boolean;
}

/** @param yes the help of `--yes` */
export const confirmOptions = (yes = 'skip the confirmation of changes to a production environment'): Option[] => [
  new Option('--yes', yes),
  new Option('--no-input', 'never prompt. To change a production environment, add --yes'),
];

/**
 * Asks before a change to an environment that is marked as production. The operator types its name.
 *
 * @param show shows the change, before the question. It is not called if the operator cannot be asked
 * @throws {CliError} if the operator types another name, or cannot be asked and has not set `--yes`
 */
export async function confirmProduction(
  io: Io,
  { name, isProduction }: Pick<Environment, 'name' | 'isProduction'>,
  { yes = false, input = true }: ConfirmOptions,
  show: () => void = () => {},
): Promise<void> {
  const mustAsk = isProduction && !yes;
  if (mustAsk && (!io.ask || !input)) {
    throw new CliError(
      `environment "${name}" is marked as production; nothing was changed. Add --yes to skip the confirmation`,
    );
  }
  show();
  if (!mustAsk) return;
  const typed = await io.ask?.(`This is a production environment. Type “${name}” to confirm: `);
  if (typed?.trim() !== name) throw new CliError(`that is not “${name}”; nothing was changed`);
}
