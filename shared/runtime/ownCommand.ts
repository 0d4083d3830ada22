declare global {
  /** Whether this is the npm package. The build of the package sets it (dev/pack). */
  var IN_PACKAGE: true | undefined;
}

/**
 * A command of this program as the user types it: `npm run flags -- list` in a clone, `npx flagwire flags list` in the npm
 * package.
 *
 * @param args the words after the script, as a shell reads them (`quoteWord`)
 */
export function ownCommand(script: string, args = ''): string {
  if (globalThis.IN_PACKAGE) return `npx flagwire ${script} ${args}`.trimEnd();
  return `npm ${script === 'start' ? '' : 'run '}${script}${args && ` -- ${args}`}`;
}
