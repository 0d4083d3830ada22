import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fitTerminal, writeError } from '../shared/command/npmCommand.ts';
import { terminalWidth } from '../shared/command/textTable.ts';
import { printable } from '../shared/protocol/printable.ts';

/** The CLI's output: results to `out`; progress, warnings and errors to `err`. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Asks the operator and returns the typed line. Absent without a terminal. */
  readonly ask?: (question: string) => Promise<string>;
}

/** Standard output and standard error, line by line. It asks only if standard input and error are a terminal. */
export const standardIo: Io = {
  out: (text) => process.stdout.write(`${text}\n`),
  err: writeError,
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
};

/** A line of output with styles. Its maker has escaped all texts from others. */
export class StyledLine {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A line of output. A plain text is escaped. */
export type Line = string | StyledLine;

/** The text of a line. A terminal gets a plain text in lines that fit it. */
export function lineText(line: Line): string {
  if (line instanceof StyledLine) return line.text;
  return terminalWidth() === undefined ? oneLine(line) : fitTerminal(oneLine(line));
}

/** Escapes control characters of errors and questions, except line ends. Results are escaped by {@link lineText}, or are JSON. */
export function terminalIo({ out, err, ask: given }: Io): Io {
  return {
    out,
    err: (text) => err(text.split('\n').map(oneLine).join('\n')),
    ...(given ? { ask: (question) => given(oneLine(question)) } : {}),
  };
}

/** Asks on the terminal. Ctrl-C and Ctrl-D give an empty line. */
function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once('close', () => resolve(''));
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}

/** A text from any source as one line. Line ends in it are escaped too. */
export function oneLine(text: string): string {
  return printable(text, Number.POSITIVE_INFINITY);
}

/** A command that cannot be carried out. The message says why, and what would work. */
export class CliError extends Error {
  override name = 'CliError';
  /** The items that the message refers to, one line each. */
  readonly details: readonly string[];

  constructor(message: string, details: readonly string[] = []) {
    super(message);
    this.details = details;
  }
}

/** A wrong command line: an argument or an option is missing or has a wrong value. The exit code is 2. */
export class UsageError extends CliError {
  override name = 'UsageError';
}

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
