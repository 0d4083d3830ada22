import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * A path from the command line, relative to the folder in which the user typed it. npm runs a script in the folder of
 * package.json and puts the user's folder into `INIT_CWD`.
 *
 * @param path an option's value or an argument. A default path must not be passed: it is relative to package.json
 */
export function userPath(path: string): string {
  const { INIT_CWD: typedIn, npm_package_name: name, npm_package_json: manifest } = process.env;
  // Scripts of other packages name paths relative to their package.json. A process that a script starts may have
  // changed the folder.
  const isScript = name === 'flagwire' && manifest !== undefined && realpathSync(dirname(manifest)) === process.cwd();
  return isScript && typedIn !== undefined && realpathSync(typedIn) !== process.cwd() ? resolve(typedIn, path) : path;
}
