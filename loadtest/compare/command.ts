import { type Command, InvalidArgumentError } from 'commander';
import { wholeNumber, wholeNumbers } from '../../shared/command/numbers.ts';
import { userPath } from '../../shared/command/userPath.ts';
import { TARGETS } from './designs.ts';
import type { CompareOptions } from './rounds.ts';

const HELP = `
The serverless design runs in an AWS emulator on this machine, at 1/50 of the rates and quotas. The report marks its figures as simulated.

Example:
  npm run loadtest -- compare --quick

Exit code: 0 if all runs are valid, otherwise:
  2  An argument is invalid.
  3  A run is invalid, or the comparison was interrupted.
  5  The comparison itself failed.`;

/** Adds the command that compares the designs. @param onCompare runs the comparison */
export function addCompare(program: Command, onCompare: (options: CompareOptions) => Promise<void>): void {
  const all = Object.keys(TARGETS);
  program
    .command('compare')
    .description(
      'runs FeatBit’s benchmark on three designs (serverless, one host, Fargate), and compares the results with FeatBit’s published figures',
    )
    .option('--target <names>', `designs to compare, separated by commas: ${all.join(', ')}`, targets, all)
    .option('--quick', 'do one run of 45 s at each rate, and send changes to 2,000 clients')
    .option('--rates <n,...>', 'new connections a second (default 1000,1100,1200)', wholeNumbers)
    .option('--runs <n>', 'number of runs of 45 s at each rate (default 5). A run of 180 s follows', wholeNumber)
    .option('--out <folder>', 'folder for the results (default dist/loadtest/compare-<time>)', userPath)
    .option('--resume', 'continue the interrupted comparison in the --out folder')
    .addHelpText('after', HELP)
    .action(onCompare);
}

function targets(text: string): string[] {
  const names = text.split(',');
  const unknown = names.find((name) => !(name in TARGETS));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`unknown design ${unknown}: choose from ${Object.keys(TARGETS).join(', ')}.`);
  // The order of the table.
  return Object.keys(TARGETS).filter((name) => names.includes(name));
}
