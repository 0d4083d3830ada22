import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Argument } from 'commander';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { MEASUREMENTS, type Measurement } from './measurements.ts';
import { pagesOf } from './pages.ts';

const root = join(import.meta.dirname, '..', '..');

const HELP = `
Measurements, all of them unless some are named:
${Object.entries(MEASUREMENTS)
  .map(
    ([name, { script, args }]) =>
      `  ${name.padEnd(12)} npm run ${[script, ...(args.length > 0 ? ['--'] : []), ...args].join(' ')}`,
  )
  .join('\n')}

All of them take hours, and a machine that does nothing else. Then the pages that are made of kept figures are written, and git shows
what changed in README.md and docs. Each figure is stamped with command, commit, machine and date by the command that measured it.

Exit code: 0 done, 1 a measurement failed, whose figures stay as they were, 2 wrong arguments.`;

const program = npmCommand('results', 'Makes the figures of README.md and docs/results again, and shows what changed.')
  .addArgument(new Argument('[measurements...]').choices(Object.keys(MEASUREMENTS)))
  .option('--no-measure', 'only write the pages again, of the figures that are kept')
  .addHelpText('after', HELP)
  .parse();

const { measure } = program.opts<{ measure: boolean }>();
const names = program.args.length > 0 ? program.args : Object.keys(MEASUREMENTS);
const failed = measure ? names.filter((name) => !make(name, MEASUREMENTS[name] as Measurement)) : [];
for (const [path, text] of Object.entries(pagesOf(root))) writeFileSync(join(root, path), text);
run('git', ['--no-pager', 'diff', '--stat', '--', 'README.md', 'docs']);
run('git', ['--no-pager', 'diff', '--unified=0', '--word-diff', '--', 'README.md', 'docs/*.md']);
for (const name of names.filter((each) => measure && !failed.includes(each))) {
  const { byHand } = MEASUREMENTS[name] as Measurement;
  if (byHand !== undefined) console.error(`Read ${byHand} again: its text about ${name} is written by hand.`);
}
for (const name of failed) console.error(`results: ${name} failed, and its figures stay as they were.`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** @returns whether it succeeded; only then its files are kept */
function make(name: string, { script, args, kept = {} }: Measurement): boolean {
  console.error(`… ${name}`);
  if (run('npm', ['run', script, '--', ...args]) !== 0) return false;
  for (const [from, to] of Object.entries(kept)) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    copyFileSync(join(root, from), join(root, to));
  }
  return true;
}

function run(command: string, args: readonly string[]): number {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
}
