declare global {
  /** Whether this is the npm package. The build of the package sets it (dev/pack). */
  var IN_PACKAGE: true | undefined;
  /** Whether the user has the shell command `flags` (cli/completion.ts). */
  var HAS_FLAGS_COMMAND: true | undefined;
}

/**
 * A command of this program as the user types it: `flags list` with the shell command, `npm run flags -- list` in a clone, `npx
 * flagwire flags list` in the npm package.
 *
 * @param args the words after the script, as a shell reads them (`quoteWord`)
 */
export function ownCommand(script: string, args = ''): string {
  if (globalThis.HAS_FLAGS_COMMAND && script === 'flags') return `flags ${args}`.trimEnd();
  return fullCommand(script, args);
}

/** A command of the CLI without the shell command and without the lines of npm. @param options of npm */
export function silentCommand(args: string, options = ''): string {
  return fullCommand('flags', args).replace('npm run', `npm run --silent${options}`);
}

function fullCommand(script: string, args: string): string {
  if (globalThis.IN_PACKAGE) return `npx flagwire ${script} ${args}`.trimEnd();
  return `npm ${script === 'start' ? '' : 'run '}${script}${args && ` -- ${args}`}`;
}
