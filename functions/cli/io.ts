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

/** A command that cannot be carried out; the message says why, and what would work. */
export class CliError extends Error {
  override name = 'CliError';
}
