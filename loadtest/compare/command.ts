import { type Command, InvalidArgumentError } from 'commander';
import { wholeNumber, wholeNumbers } from '../../shared/command/numbers.ts';
import type { CompareOptions } from './compare.ts';
import { TARGETS } from './designs.ts';
import { comparisonJsonSchema } from './reportSchema.ts';

const HELP = `
On this machine, serverless is what the emulator plays of AWS, at a tenth of rates and quotas. Its figures are simulated.

Example:
  npm run loadtest -- compare --quick

Exit code: 0 every run counts, 2 wrong arguments, 3 a run was held up or the comparison was interrupted, 5 an error of the load test itself.`;

/** Adds the command that compares the designs. @param onCompare what it does */
export function addCompare(program: Command, onCompare: (options: CompareOptions) => Promise<void>): void {
  const all = Object.keys(TARGETS);
  program
    .command('compare')
    .description(
      'FeatBit’s benchmark and changes to many clients, on serverless, one host and Fargate, next to what FeatBit published',
    )
    .option('--target <names>', `what is compared, separated by commas: ${all.join(', ')}`, targets, all)
    .option('--quick', 'the short form: one run of 45 s at each rate, changes to 2,000 clients')
    .option('--rates <n,...>', 'new connections a second (default 1000,1100,1200)', wholeNumbers)
    .option('--runs <n>', 'runs at each rate (default 10)', wholeNumber)
    .option('--out <folder>', 'where everything goes (default dist/loadtest/compare-<time>)')
    .option('--resume', 'go on with the comparison in --out that was interrupted')
    .option('--schema', 'print the JSON schema of comparison.json instead')
    .addHelpText('after', HELP)
    .action(async (options: CompareOptions & { schema?: boolean }) => {
      if (options.schema) console.log(comparisonJsonSchema());
      else await onCompare(options);
    });
}

function targets(text: string): string[] {
  const names = text.split(',');
  const unknown = names.find((name) => !(name in TARGETS));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`there is no ${unknown}: choose of ${Object.keys(TARGETS).join(', ')}.`);
  return names;
}
