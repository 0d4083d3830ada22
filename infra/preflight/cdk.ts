import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { userPath } from '../../shared/command/userPath.ts';
import { nearest } from '../../shared/flags/nearest.ts';

/**
 * The stage (first argument, default `dev`) and the arguments for cdk. A command line that begins with an option for cdk is refused:
 * a stage after it would be read as the option's value. So is an option that cdk does not know, because cdk ignores it.
 *
 * @param name of cdk's command
 */
export function stageAndRest(
  command: Command,
  name: 'deploy' | 'destroy',
): { readonly stage: string; readonly rest: readonly string[] } {
  const [first, ...rest] = command.args;
  const own = command.options.flatMap(({ long }) => long?.slice(2) ?? []);
  const known = cdkOptions(name);
  for (const argument of command.args) {
    const [, option] = /^--([^=]+)/.exec(argument) ?? [];
    if (option === undefined) continue;
    // CDK takes options in camel case too.
    const kebab = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (known.includes(kebab.replace(/^no-/, ''))) continue;
    command.error(`error: unknown option --${option}. Did you mean --${nearest(option, [...own, ...known])}?`);
  }
  if (first?.startsWith('-')) {
    command.error(`error: name the stage before ${first}, which is an option of cdk: dev ${first} …`);
  }
  const context = rest.find((each) => /^(-c|--context)(=|$)/.test(each));
  if (context !== undefined) {
    command.error(
      `error: ${context} is not supported: the first argument is the stage, and --set key=value writes a setting`,
    );
  }
  return { stage: first ?? 'dev', rest: withUserPaths(rest) };
}

/** cdk runs in the folder of package.json: its file of outputs is where the user is. */
function withUserPaths(rest: readonly string[]): string[] {
  return rest.map((word, index) => {
    if (/^(-O|--outputs-file)$/.test(rest[index - 1] ?? '')) return userPath(word);
    const [, option, path = ''] = /^(--outputs-file=)(.*)/.exec(word) ?? [];
    return option ? option + userPath(path) : word;
  });
}

/** Long options of a command of cdk, without dashes. */
function cdkOptions(name: string): string[] {
  const directory = dirname(createRequire(import.meta.url).resolve('aws-cdk/package.json'));
  const { globalOptions, commands } = JSON.parse(
    readFileSync(join(directory, 'lib/cli/cli-type-registry.json'), 'utf8'),
  );
  const options: Record<string, { readonly alias?: string | string[] }> = {
    ...globalOptions,
    ...commands[name].options,
  };
  return Object.entries(options).flatMap(([option, { alias = [] }]) => [option, ...[alias].flat()]);
}

/** @returns the exit code of cdk */
export function runCdk(args: readonly string[]): number {
  const { status, error } = spawnSync('cdk', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) throw new Error(`Cannot run cdk (${error.message}). Run npm ci, then this command through npm.`);
  return status ?? 1;
}
