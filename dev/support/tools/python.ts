import { join, relative } from 'node:path';
import { cacheDirectory, keptDirectory } from '../../../infra/cacheDirectory.ts';
import { repositoryRoot } from '../../../infra/repository.ts';
import type { Requirement } from '../requirement.ts';
import { runTool } from './runTool.ts';

/** Reports progress to the user. */
export type Report = (line: string) => void;

/** A program from PyPI. */
export interface PythonTool {
  readonly name: string;
  /** The path of a list of it and all that it needs, each at one version. */
  readonly requirements: string;
}

/** Options of a Python environment. */
interface PythonEnvironment {
  /** The Python that makes it, 3.10 or newer with the `venv` module. */
  readonly python?: string;
  /** A directory with an environment for each list of requirements. */
  readonly cache?: string;
}

/**
 * The isolated Python environment that holds a tool: made on first use, in `node_modules/.cache`, and kept there for
 * as long as the requirements stay what they are. Nothing is installed anywhere else.
 *
 * @returns the directory of its commands
 * @throws Error when there is no usable Python, or the packages cannot be installed
 */
export async function pythonEnvironment(
  { name, requirements }: PythonTool,
  report: Report,
  { python = 'python3', cache = cacheDirectory }: PythonEnvironment = {},
): Promise<string> {
  await checkVersion(python);
  const make = async (directory: string) => {
    report(`making a Python environment in ${directory} (once)`);
    const noVenv =
      `${python} cannot make a virtual environment: install its venv module (on Debian and Ubuntu the package python3-venv) ` +
      'and run again.';
    await runTool(python, ['-m', 'venv', directory], { missing: noVenv, failed: noVenv });
    report(`installing ${name} into it`);
    const options = ['--quiet', '--disable-pip-version-check', '--no-input', '--retries', '1', '--timeout', '15'];
    const install = ['-m', 'pip', 'install', ...options, '--no-deps', '--requirement', requirements];
    const failed = `pip could not install ${relative(repositoryRoot, requirements)}; check that it reaches its package index.`;
    await runTool(join(directory, 'bin', 'python'), install, { missing: failed, failed });
  };
  return join(await keptDirectory('python', requirements, make, cache), 'bin');
}

/** Tests and checks that need tools from PyPI. They are skipped together. */
export function pythonTools(...tools: readonly PythonTool[]): Requirement {
  const find = async () => {
    for (const tool of tools) await pythonEnvironment(tool, (line) => process.stderr.write(`${line}\n`));
  };
  return { name: 'python', find };
}

async function checkVersion(python: string): Promise<void> {
  await runTool(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'], {
    missing: `there is no ${python} on the path: install Python 3.10 or newer`,
    failed: `${python} is older than 3.10: install Python 3.10 or newer.`,
  });
}
