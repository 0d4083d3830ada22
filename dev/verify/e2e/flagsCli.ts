import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../../infra/repository.ts';
import type { Deployment } from './deployment.ts';

const run = promisify(execFile);

/** The flags CLI as an operator runs it, on a deployment's table. @returns what it writes with `--json` */
export async function flagsCli({ emulator, outputs }: Deployment, ...args: string[]): Promise<unknown> {
  const main = join(repositoryRoot, 'functions', 'cli', 'main.ts');
  const { stdout } = await run(process.execPath, [main, ...args, '--json'], {
    env: { ...emulator.environment, FLAGS_TABLE: outputs['FlagsTableName'] },
  });
  return JSON.parse(stdout);
}
