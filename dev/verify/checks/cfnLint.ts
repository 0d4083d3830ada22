import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Template } from '../../../infra/inProcess.ts';
import type { PythonTool } from '../../support/tools/python.ts';

/** The program, for {@link pythonEnvironment}. */
export const cfnLint: PythonTool = { name: 'cfn-lint', requirements: join(import.meta.dirname, 'requirements.txt') };

/**
 * Checks of cfn-lint that are not asked for.
 *
 * - W3005, a `DependsOn` that a reference implies already: CDK writes one for every role, and it does no harm.
 */
const ignoredChecks = ['W3005'];

/** Exit codes by which cfn-lint says that it found something: errors, warnings, remarks, and sums of them. */
const foundSomething = 2 | 4 | 8;

/**
 * Runs cfn-lint on templates.
 *
 * @param command path of cfn-lint
 * @param templates by a name for each, which findings begin with
 * @returns findings, one a line; empty when there is none
 * @throws Error when cfn-lint cannot be run
 */
export async function lintTemplates(command: string, templates: Readonly<Record<string, Template>>): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-lint-'));
  try {
    for (const [name, template] of Object.entries(templates)) {
      writeFileSync(join(directory, `${name}.json`), JSON.stringify(template, null, 2));
    }
    const files = Object.keys(templates).map((name) => `${name}.json`);
    // One process takes one core.
    const size = Math.ceil(files.length / availableParallelism());
    const parts = files.flatMap((_, at) => (at % size === 0 ? [files.slice(at, at + size)] : []));
    return (await Promise.all(parts.map((part) => lint(command, part, directory)))).flat();
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function lint(command: string, files: readonly string[], directory: string): Promise<string[]> {
  const options = ['--format', 'parseable', '--ignore-checks', ...ignoredChecks, '--template', ...files];
  return promisify(execFile)(command, options, { cwd: directory, maxBuffer: 64 * 1024 * 1024 }).then(
    () => [],
    ({ code, stdout, stderr, message }: { code?: unknown; stdout?: string; stderr?: string; message: string }) => {
      if (typeof code === 'number' && (code & foundSomething) !== 0) return (stdout ?? '').trim().split('\n');
      throw new Error(`cfn-lint could not be run: ${stderr?.trim() || message}`);
    },
  );
}
