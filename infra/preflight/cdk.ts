import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';

/**
 * The stage (first argument, default `dev`) and the arguments for cdk. A command line that begins with an option for cdk is refused:
 * a stage after it would be read as the option's value.
 */
export function stageAndRest(command: Command): { readonly stage: string; readonly rest: readonly string[] } {
  const [first, ...rest] = command.args;
  if (first?.startsWith('-')) {
    command.error(`error: name the stage before ${first}, which is an option of cdk: dev ${first} …`);
  }
  const context = rest.find((each) => /^(-c|--context)(=|$)/.test(each));
  if (context !== undefined) {
    command.error(
      `error: ${context} is not supported: the first argument is the stage, and --set key=value writes a setting`,
    );
  }
  return { stage: first ?? 'dev', rest };
}

/** @returns the exit code of cdk */
export function runCdk(args: readonly string[]): number {
  const { status, error } = spawnSync('cdk', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) throw new Error(`Cannot run cdk (${error.message}). Run npm ci, then this command through npm.`);
  return status ?? 1;
}
