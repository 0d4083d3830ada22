import { type Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber, wholeNumbers } from '../../shared/command/numbers.ts';
import { positive } from '../runner/options.ts';
import type { AwsOptions } from './aws/compareAws.ts';
import { TARGETS } from './designs.ts';
import { comparisonJsonSchema } from './reportSchema.ts';

const HELP = `
On this machine, serverless is what the emulator plays of AWS, at a twenty-fifth of rates and quotas. Its figures are simulated.

With --aws it names the quotas that do not suffice, computes the price, deploys a stage of its own with a load generator, measures, and removes
the stage, also after Ctrl-C. If it is killed, --teardown with the same --out removes the stage.

Examples:
  npm run loadtest -- compare --quick
  npm run loadtest -- compare --aws --quick --rates 500 --budget 5

Exit code: 0 every run counts, 2 wrong arguments, 3 a run was held up or the comparison was interrupted, 5 an error of the load test itself.`;

/** What the command line says. */
export interface CompareCommand extends AwsOptions {
  readonly aws?: boolean;
}

/** Adds the command that compares the designs. @param onCompare what it does */
export function addCompare(program: Command, onCompare: (options: CompareCommand) => Promise<void>): void {
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
    .option('--aws', 'deploy all that is compared into your AWS account, measure there, and remove it again')
    .option('--stage <name>', 'in AWS: the stage that is deployed, which must not exist', 'compare')
    .addOption(inAws('--budget <usd>', 'refuse to start what is computed to cost more').argParser(positive))
    .addOption(inAws('--yes', 'start without asking whether the price is fine'))
    .addOption(inAws('--teardown', 'only remove what the comparison in --out has deployed'))
    .option('--policy', 'print the IAM policy that --aws takes instead')
    .option('--schema', 'print the JSON schema of comparison.json instead')
    .addHelpText('after', HELP)
    .action(async (options: CompareCommand & { schema?: boolean; policy?: boolean }) => {
      if (options.schema) console.log(comparisonJsonSchema());
      else if (options.policy) await printPolicy(options.stage);
      else await onCompare(options);
    });
}

/** An option of comparisons in AWS only. */
function inAws(flags: string, about: string): Option {
  return new Option(flags, `in AWS: ${about}`).implies({ aws: true });
}

async function printPolicy(stage: string): Promise<void> {
  const { comparisonPolicy } = await import('./aws/accessPolicy.ts');
  const { StageFile } = await import('../../infra/config/stageFile.ts');
  const { deploymentName } = await import('../../infra/config/deploymentName.ts');
  const config = new StageFile(stage).config();
  console.log(JSON.stringify(comparisonPolicy(deploymentName(config), stage, config.account), null, 2));
}

function targets(text: string): string[] {
  const names = text.split(',');
  const unknown = names.find((name) => !(name in TARGETS));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`there is no ${unknown}: choose of ${Object.keys(TARGETS).join(', ')}.`);
  // In the order of the table.
  return Object.keys(TARGETS).filter((name) => names.includes(name));
}
