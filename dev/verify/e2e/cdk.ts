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
 * @throws when it fails or takes too long, with the end of what it said
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
  if (code === 0) return;
  const said = child.output.trim().slice(-OUTPUT_SHOWN);
  const how = code === null ? `took longer than ${COMMAND_TIMEOUT_MS / 1000} s` : `ended with ${code}`;
  throw new Error(`cdk ${args[0]} ${how}:\n${said}\nThe emulator's log is ${access.logFile}.`);
}
