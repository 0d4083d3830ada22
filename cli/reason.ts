import { InvalidArgumentError, Option } from 'commander';
import { quoteWord } from '../shared/command/quoteWord.ts';
import { commandWithReason } from '../shared/describe/historyText.ts';
import type { Environment } from '../shared/store/environments/environment.ts';
import type { ConfirmOptions } from './confirmProduction.ts';
import { CliError, type Io, UsageError } from './io.ts';

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
  const option = new Option('--reason <text>', `reason for the history, with at most ${REASON_LIMIT} characters`);
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
