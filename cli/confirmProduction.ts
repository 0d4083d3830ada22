import { InvalidArgumentError, Option } from 'commander';
import { quoteWord } from '../shared/command/quoteWord.ts';
import { commandWithReason } from '../shared/describe/historyText.ts';
import type { Environment } from '../shared/store/environments/environment.ts';
import { CliError, type Io, UsageError } from './io.ts';

/** The options of a command that may change a production environment. */
export interface ConfirmOptions {
  readonly yes?: boolean;
  /** False with `--no-input`. */
  readonly input?: boolean;
  /** The commit of an imported file. */
  readonly commit?: string;
}

/** @param yes the help of `--yes` */
export const confirmOptions = (yes = 'skip the confirmation of changes to a production environment'): Option[] => [
  new Option('--yes', yes),
  new Option('--no-input', 'never prompt. To change a production environment, add --yes'),
];

/**
 * Asks before a change to an environment that is marked as production. The operator types its name. Where nobody can be asked, a commit
 * counts as the confirmation: it was reviewed.
 *
 * @param show shows the change, before the question. It is not called if the operator cannot be asked
 * @throws {CliError} if the operator types another name, or cannot be asked and has not set `--yes`
 */
export async function confirmProduction(
  io: Io,
  { name, isProduction }: Pick<Environment, 'name' | 'isProduction'>,
  { yes = false, input = true, commit }: ConfirmOptions,
  show: () => void = () => {},
): Promise<void> {
  const canAsk = io.ask && input;
  const mustAsk = isProduction && !yes && (canAsk || commit === undefined);
  if (mustAsk && !canAsk) {
    throw new CliError(
      `environment "${name}" is marked as production; nothing was changed. Add --yes to skip the confirmation`,
    );
  }
  show();
  if (!mustAsk) return;
  const typed = await io.ask?.(`This is a production environment. Type “${name}” to confirm: `);
  if (typed?.trim() !== name) throw new CliError(`that is not “${name}”; nothing was changed`);
}

/** Maximum number of characters in a reason, as in the console. */
const REASON_LIMIT = 200;

/** Asks for the reason of a change that has none. @throws {CliError} if there is no answer, or the operator cannot be asked */
export async function askReason({ ask }: Io, { name }: Environment, { input = true }: ConfirmOptions): Promise<string> {
  if (!ask || !input) {
    throw new UsageError(
      `environment "${name}" requires a reason for each change; nothing was changed. Add --reason <text>`,
    );
  }
  const reason = (await ask(`Reason for the change in “${name}”: `)).trim();
  if (reason === '') throw new CliError('no reason was given; nothing was changed');
  if (reason.length > REASON_LIMIT) {
    throw new CliError(`the reason has more than ${REASON_LIMIT} characters; nothing was changed`);
  }
  return reason;
}

/** The option for the reason of a change. */
export function reasonOption(): Option {
  return textOption('--reason <text>', 'reason for the history');
}

/** An option for a text of the history. */
export function textOption(flags: string, description: string): Option {
  const option = new Option(flags, `${description}, with at most ${REASON_LIMIT} characters`);
  return option.argParser((text) => {
    if (text.length > REASON_LIMIT) throw new InvalidArgumentError(`at most ${REASON_LIMIT} characters.`);
    return text;
  });
}

/** A command line as a shell reads it, without the data directory, and with the reason after it, as in the console. */
export function historyLine(argv: readonly string[], reason: string | undefined): string {
  const isOption = (name: string) => (word: string, index: number) =>
    word === name || argv[index - 1] === name || word.startsWith(`${name}=`);
  const [isReason, isData] = [isOption('--reason'), isOption('--data')];
  const line = argv
    .filter((word, index) => !(isData(word, index) || (reason !== undefined && isReason(word, index))))
    .map(quoteWord)
    .join(' ');
  return commandWithReason(line, reason);
}
