/** Gets the lines that AWS writes to CloudWatch. A call has one line, without a line break. */
export type Log = (line: string) => void;

/** Writes each line to standard error. */
export const logToStderr: Log = (line) => {
  process.stderr.write(`${line}\n`);
};

/** An error as one line: its name, its message, and the innermost frame when there is one. */
export function oneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error).replaceAll(/\s+/g, ' ');
  const frame = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  return `${error.name}: ${error.message}${frame ? ` (${frame.trim()})` : ''}`.replaceAll(/\s+/g, ' ');
}
