import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';

/**
 * The stage that a command line names first, `dev` without one, and what is to be passed on to cdk. A command line that begins with
 * an option for cdk is refused, as a stage after it would be taken for the option's value.
 */
export function stageAndRest(command: Command): { readonly stage: string; readonly rest: readonly string[] } {
  const [first, ...rest] = command.args;
  if (first?.startsWith('-')) {
    command.error(`error: name the stage before ${first}, which is passed on to cdk: dev ${first} …`);
  }
  const context = rest.find((each) => /^(-c|--context)(=|$)/.test(each));
  if (context !== undefined) {
    command.error(
      `error: ${context} is not needed: the first argument is the stage, and --set key=value writes a setting`,
    );
  }
  return { stage: first ?? 'dev', rest };
}

/** @returns the exit code of cdk */
export function runCdk(args: readonly string[]): number {
  const { status, error } = spawnSync('cdk', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) throw new Error(`cdk could not be run (${error.message}): run this by npm, after npm ci.`);
  return status ?? 1;
}
