/** A word of a command, in quotes or not; no option. */
const WORD = "(?:'([^']+)'|([^-\\s]\\S*))";
const COPIED = [
  /^console: copied from “(.*?)”/,
  new RegExp(`^env clone ${WORD}`),
  new RegExp(`^copy .*--from[ =]${WORD}`),
];
const IMPORTED = new RegExp(`^import(?: ${WORD})?`);

/** How a flag or segment came, from the command in the history: `copied from staging`, `imported from flags.json`, else `created`. */
export function originText(command: string): string {
  const source = (pattern: RegExp) => pattern.exec(command)?.slice(1).find(Boolean);
  const environment = COPIED.map(source).find(Boolean);
  if (environment !== undefined) return `copied from ${environment}`;
  if (!IMPORTED.test(command)) return 'created';
  const file = source(IMPORTED)?.split('/').at(-1);
  return file === undefined ? 'imported' : `imported from ${file}`;
}
