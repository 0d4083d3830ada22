import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync, statSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { CliError } from '../io.ts';

/** Maximum size of a line of code in bytes. */
const LINE_LIMIT_BYTES = 16 * 1024 * 1024;
/** Maximum size of git's error message that is kept. */
const MESSAGE_LIMIT = 2_000;

const NUL = 0;
const LINE_FEED = 10;

/**
 * Reads the lines of all text files that git tracks.
 *
 * It reads every line (`-e ''`) instead of giving the keys to git: git compares each line with each fixed string in turn, which
 * takes several times as long for a thousand keys.
 *
 * @param paths files and folders of one repository
 * @param pathspecs further pathspecs of git
 * @param onLine called with the file from the root of the repository, the number of the line and its text (Latin-1)
 * @throws {CliError} if git or a repository is missing
 */
export async function readTrackedLines(
  paths: readonly string[],
  pathspecs: readonly string[],
  onLine: (file: string, line: number, text: string) => void,
): Promise<void> {
  const places = paths.map(realPath);
  const folder = places[0]?.folder ?? '.';
  const environment = await gitEnvironment();
  let root = '';
  await runGit(['-C', folder, 'rev-parse', '--show-toplevel'], environment, (chunk) => {
    root += chunk.toString();
  });
  root = root.replace(/\n$/, '');
  const specs = places.map(({ path }) => {
    const inside = relative(root, path);
    if (inside === '..' || inside.startsWith('../'))
      throw new CliError(`"${path}" is not in the git repository ${root}; run the command for each repository`);
    return `:(literal)${inside || '.'}`;
  });
  const options = ['--no-color', '--no-column', '--no-textconv', '-I', '-n', '-z', '-e', ''];
  await runGit(['-C', root, 'grep', ...options, '--', ...specs, ...pathspecs], environment, lineParser(onLine));
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
async function gitEnvironment(): Promise<NodeJS.ProcessEnv> {
  const environment: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C' };
  let names = '';
  await runGit(['rev-parse', '--local-env-vars'], environment, (chunk) => {
    names += chunk.toString();
  });
  for (const name of names.split('\n')) {
    if (name !== 'GIT_CONFIG_COUNT' && name !== 'GIT_CONFIG_PARAMETERS') delete environment[name];
  }
  return environment;
}

/** @throws {CliError} if git fails. Without a match, `git grep` exits with 1 */
async function runGit(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  onOutput: (chunk: Buffer) => void,
): Promise<void> {
  const git = spawn('git', args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let message = '';
  git.stderr.on('data', (chunk: Buffer) => {
    message = (message + chunk.toString()).slice(0, MESSAGE_LIMIT);
  });
  const ended = once(git, 'close').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new CliError(
      'git is not installed, or not on the PATH; install git, which this command searches the code with',
    );
  });
  // The loop below may throw first.
  ended.catch(() => {});
  try {
    for await (const chunk of git.stdout) onOutput(chunk as Buffer);
  } finally {
    git.kill();
  }
  const [code] = (await ended) as [number | null];
  if (code === 0 || (code === 1 && message === '')) return;
  const [reason = ''] = message.trim().split('\n');
  throw new CliError(
    /not a git repository/.test(message)
      ? 'this is not a git repository; run the command in the repository of your code, or name a path in it'
      : `git failed: ${reason || `exit code ${code}`}`,
  );
}

/**
 * Parses `file NUL line NUL text LF`, in chunks. A file name can contain line feeds.
 *
 * @throws {CliError} if a line is longer than {@link LINE_LIMIT_BYTES}
 */
function lineParser(onLine: (file: string, line: number, text: string) => void): (chunk: Buffer) => void {
  /** What follows the last whole line. */
  let rest: Buffer[] = [];
  let length = 0;
  return (chunk) => {
    rest.push(chunk);
    length += chunk.length;
    if (!chunk.includes(LINE_FEED) && length <= LINE_LIMIT_BYTES) return;
    const data = Buffer.concat(rest);
    let from = 0;
    for (;;) {
      const name = data.indexOf(NUL, from);
      const number = name < 0 ? -1 : data.indexOf(NUL, name + 1);
      const end = number < 0 ? -1 : data.indexOf(LINE_FEED, number + 1);
      if (end < 0) break;
      const line = Number(data.toString('latin1', name + 1, number));
      onLine(data.toString('utf8', from, name), line, data.toString('latin1', number + 1, end));
      from = end + 1;
    }
    rest = [data.subarray(from)];
    length = data.length - from;
    if (length <= LINE_LIMIT_BYTES) return;
    const file = data.toString('utf8', from, Math.max(from, data.indexOf(NUL, from)));
    throw new CliError(
      `a line of ${file} is longer than ${LINE_LIMIT_BYTES / 1024 / 1024} MB; leave the file out with ':!${file}'`,
    );
  };
}
