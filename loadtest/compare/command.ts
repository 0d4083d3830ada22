import { type Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber, wholeNumbers } from '../../shared/command/numbers.ts';
import { userPath } from '../../shared/command/userPath.ts';
import { TARGETS } from './designs.ts';
import type { CompareOptions } from './rounds.ts';

const HELP = `
The serverless design runs in an AWS emulator on this machine, at 1/50 of the rates and quotas. The report marks its figures as simulated.

Examples:
  npm run loadtest -- compare --quick
  npm run loadtest -- compare --target host --full-runs 10 --out dist/comparison
  npm run loadtest -- compare --target serverless,fargate --out dist/comparison --resume

Exit code: 0 if all runs are valid, otherwise:
  2  An argument is invalid.
  3  A run is invalid, or the comparison was interrupted, or is longer than --minutes.
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
    .addOption(
      new Option('--quick', 'do one run of 45 s at each rate, and send changes to 2,000 clients').conflicts('fullRuns'),
    )
    .option('--rates <n,...>', 'new connections a second (default 1000,1100,1200)', wholeNumbers)
    .option('--runs <n>', 'number of runs of 45 s at each rate (default 5)', wholeNumber)
    .option(
      '--full-runs <n>',
      'number of runs of 180 s at each rate and for each design (default 1). With 2 or more, there are no runs of 45 s',
      wholeNumber,
    )
    .option('--minutes <n>', 'stop before a step that would end later than this', wholeNumber, 120)
    .option('--out <folder>', 'folder for the results (default dist/loadtest/compare-<time>)', userPath)
    .option('--resume', 'continue the comparison in the --out folder, also on another day, or with other designs')
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
