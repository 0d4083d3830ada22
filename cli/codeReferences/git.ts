import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CliError } from '../io.ts';

/** Maximum size of a file of code, and of git's list of files, in bytes. */
const LIMIT_BYTES = 256 * 1024 * 1024;
/** As in git, a file with a NUL in its first bytes is binary. */
const BINARY_BYTES = 8_000;

/**
 * Reads the lines of all text files that git tracks, as they are now.
 *
 * @param paths files and folders of one repository
 * @param pathspecs further pathspecs of git
 * @param onLine called with the file from the root of the repository, the number of the line and its text (Latin-1)
 * @throws {CliError} if git or a repository is missing, or a file is larger than {@link LIMIT_BYTES}
 */
export function readTrackedLines(
  paths: readonly string[],
  pathspecs: readonly string[],
  onLine: (file: string, line: number, text: string) => void,
): void {
  const places = paths.map(realPath);
  const environment = gitEnvironment();
  const root = runGit(['-C', places[0]?.folder ?? '.', 'rev-parse', '--show-toplevel'], environment).replace(/\n$/, '');
  const specs = places.map(({ path }) => {
    const inside = relative(root, path);
    if (inside === '..' || inside.startsWith('../'))
      throw new CliError(`"${path}" is not in the git repository ${root}; run the command for each repository`);
    return `:(literal)${inside || '.'}`;
  });
  const files = runGit(['-C', root, 'ls-files', '-z', '--', ...specs, ...pathspecs], environment).split('\0');
  for (const file of new Set(files)) {
    const text = readText(join(root, file), file);
    for (const [n, line] of text.split('\n').entries()) onLine(file, n + 1, line);
  }
}

/** The text of a file, empty for what is no text, such as a link, a submodule, or a file that is deleted. */
function readText(path: string, file: string): string {
  try {
    const found = lstatSync(path);
    if (!found.isFile()) return '';
    if (found.size > LIMIT_BYTES)
      throw new CliError(`${file} is larger than ${LIMIT_BYTES / 1024 / 1024} MB; leave it out with ':!${file}'`);
    const text = readFileSync(path, 'latin1');
    return text.slice(0, BINARY_BYTES).includes('\0') ? '' : text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return '';
    throw error instanceof CliError ? error : new CliError(`${file} cannot be read: ${message}`);
  }
}

/** A path without links, and the folder in which git runs for it. @throws {CliError} if it does not exist */
function realPath(path: string): { readonly path: string; readonly folder: string } {
  try {
    const real = realpathSync(path);
    return { path: real, folder: statSync(real).isDirectory() ? real : dirname(real) };
  } catch {
    throw new CliError(`there is no file or folder "${path}"`);
  }
}

/**
 * The environment for git, without variables that name a repository. Git sets these for hooks, and they would override the
 * folder. Variables with settings, such as `safe.directory`, stay.
 */
function gitEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C' };
  for (const name of runGit(['rev-parse', '--local-env-vars'], environment).split('\n')) {
    if (name !== 'GIT_CONFIG_COUNT' && name !== 'GIT_CONFIG_PARAMETERS') delete environment[name];
  }
  return environment;
}

/** Runs git. @returns its output @throws {CliError} if it fails */
function runGit(args: readonly string[], env: NodeJS.ProcessEnv): string {
  try {
    return execFileSync('git', args, {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: LIMIT_BYTES,
    });
  } catch (error) {
    const { code, status, stderr = '' } = error as NodeJS.ErrnoException & { status?: number; stderr?: string };
    if (code === 'ENOENT')
      throw new CliError(
        'git is not installed, or not on the PATH; install git, which this command searches the code with',
      );
    const [reason = ''] = stderr.trim().split('\n');
    throw new CliError(
      /not a git repository/.test(stderr)
        ? 'this is not a git repository; run the command in the repository of your code, or name a path in it'
        : `git failed: ${reason || `exit code ${status}`}`,
    );
  }
}
