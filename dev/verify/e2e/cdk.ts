import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { logFileOf } from '../../../infra/cacheDirectory.ts';
import { repositoryRoot } from '../../../infra/repository.ts';
import { RunningProcess } from '../../support/runningProcess.ts';
import type { Emulator } from './emulator.ts';

/** The stock command of the `aws-cdk` package. */
const command = join(dirname(createRequire(import.meta.url).resolve('aws-cdk/package.json')), 'bin', 'cdk');

/** Every command ends within seconds. */
const COMMAND_TIMEOUT_MS = 90_000;
/** The end of a failed command's output, in characters. */
const OUTPUT_SHOWN = 4_000;

/**
 * Runs the CDK's command against the emulator and nothing else: with its credentials, the emulator's directory for a home,
 * and without asking anybody whether there are news.
 *
 * @param access can name the folder of another app
 * @throws when it fails, with the end of what it said, and with the way out where the emulator does not know a type
 */
export async function cdk(
  access: Pick<Emulator, 'environment' | 'directory' | 'logFile'> & { readonly folder?: string },
  ...args: string[]
): Promise<void> {
  const environment = {
    ...access.environment,
    PATH: process.env['PATH'],
    HOME: access.directory,
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    CI: 'true',
  };
  const quietly = ['--no-notices', '--no-version-reporting', '--no-color'];
  const child = new RunningProcess([process.execPath, command, ...args, ...quietly], {
    cwd: access.folder ?? repositoryRoot,
    environment,
    timeoutMs: COMMAND_TIMEOUT_MS,
  });
  const code = await child.ended;
  writeFileSync(logFileOf(`cdk-${args[0]}`), child.output);
  if (code !== 0)
    throw new Error(`${explain(args[0] ?? '', code, child.output)}\nThe emulator's log is ${access.logFile}.`);
}

/**
 * Why the command failed, for the author of a change to the stacks.
 *
 * @param code its exit code; null when it was ended for taking too long
 */
export function explain(command: string, code: number | null, output: string): string {
  const said = output.trim().slice(-OUTPUT_SHOWN);
  const refused = /Unrecognized resource types: \[[^\]]*\]/.exec(output)?.[0];
  if (refused !== undefined) {
    return (
      `The emulator's CloudFormation cannot make a type of our templates. ${refused}. ` +
      'Decide what is to stand in for it, and name it with its reason in dev/verify/e2e/transform.ts.'
    );
  }
  if (code === null) {
    return (
      `cdk ${command} took longer than ${COMMAND_TIMEOUT_MS / 1000} s: is there a custom resource whose function never answers ` +
      `in the emulator? Then it belongs in dev/verify/e2e/transform.ts. Until then it said:\n${said}`
    );
  }
  return `cdk ${command} ended with ${code}:\n${said}`;
}
