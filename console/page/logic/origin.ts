import type { Import } from '../../api.ts';

/** A word of a command with or without quotes, but no option. */
const WORD = "(?:'([^']+)'|([^-\\s]\\S*))";
const COPIED = [
  /^console: copied from “(.*?)”/,
  new RegExp(`^env clone ${WORD}`),
  new RegExp(`^copy .*--from[ =]${WORD}`),
];
const IMPORTED = new RegExp(`^import(?: ${WORD})?`);

/**
 * Origin of a flag or segment, from the command in the history: `copied from staging`, `imported from flags.json`, or
 * `created`.
 */
export function originText(command: string): string {
  const source = (pattern: RegExp) => pattern.exec(command)?.slice(1).find(Boolean);
  const environment = COPIED.map(source).find(Boolean);
  if (environment !== undefined) return `copied from ${environment}`;
  if (!IMPORTED.test(command)) return 'created';
  const file = source(IMPORTED)?.split('/').at(-1);
  return file === undefined ? 'imported' : `imported from ${file}`;
}

/**
 * The change that imported a version of a flag or segment.
 *
 * @param createdAt when the environment was created. A newer version can also be from an edit, which is no import
 */
export function importOf(version: number, imports: readonly Import[], createdAt: string): Import | undefined {
  const written = imports.find((each) => each.previous < version && version <= each.version);
  const isOlder = version < Date.parse(createdAt);
  return written && (isOlder || originText(written.command) !== 'created') ? written : undefined;
}
