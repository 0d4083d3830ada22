import { printable } from '../shared/protocol/printable.ts';

/** Where the CLI writes: results to `out`, progress, warnings and errors to `err`. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Standard output and standard error, line by line. */
export const standardIo: Io = {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
};

/** The same, with everything escaped that a terminal could act on, but for the ends of lines. */
export function terminalIo({ out, err }: Io): Io {
  const safe = (text: string) => text.split('\n').map(oneLine).join('\n');
  return { out: (text) => out(safe(text)), err: (text) => err(safe(text)) };
}

/** A text of any origin as one line: an end of a line within it is escaped, too. */
export function oneLine(text: string): string {
  return printable(text, Number.POSITIVE_INFINITY);
}

/** A command that cannot be carried out; the message says why, and what would work. */
export class CliError extends Error {
  override name = 'CliError';
  /** What the message is about, one by one. */
  readonly details: readonly string[];

  constructor(message: string, details: readonly string[] = []) {
    super(message);
    this.details = details;
  }
}
