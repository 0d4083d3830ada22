import { type Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber, wholeNumbers } from '../../shared/command/numbers.ts';
import { positive } from '../runner/options.ts';
import type { AwsOptions } from './aws/compareAws.ts';
import { TARGETS } from './designs.ts';
import { comparisonJsonSchema } from './reportSchema.ts';

const HELP = `
On this machine, an emulator of AWS runs the serverless design at 1/25 of the rates and quotas. Its figures are simulated.

With --aws, the command checks quotas, computes the price, deploys a separate stage with a load generator, measures, and removes the stage, also
after Ctrl-C. If the command is killed, run it with --teardown and the same --out to remove the stage.

Examples:
  npm run loadtest -- compare --quick
  npm run loadtest -- compare --aws --quick --rates 500 --budget 5

Exit code: 0 every run counts, 2 wrong arguments, 3 a run was discarded or the comparison was interrupted, 5 an error in the load test itself.`;

/** Options of the command line. */
export interface CompareCommand extends AwsOptions {
  readonly aws?: boolean;
}

/** Adds the command that compares the designs. @param onCompare runs the comparison */
export function addCompare(program: Command, onCompare: (options: CompareCommand) => Promise<void>): void {
  const all = Object.keys(TARGETS);
  program
    .command('compare')
    .description(
      'Runs FeatBit’s benchmark and changes to many clients on serverless, one host and Fargate, and compares them with FeatBit’s published figures',
    )
    .option('--target <names>', `designs to compare, separated by commas: ${all.join(', ')}`, targets, all)
    .option('--quick', 'run for 45 s at each rate once, and send changes to 2,000 clients')
    .option('--rates <n,...>', 'new connections a second (default 1000,1100,1200)', wholeNumbers)
    .option('--runs <n>', 'runs at each rate (default 10)', wholeNumber)
    .option('--out <folder>', 'folder for all results (default dist/loadtest/compare-<time>)')
    .option('--resume', 'continue the interrupted comparison in --out')
    .option('--aws', 'deploy the designs into your AWS account, measure there, and remove them')
    .option('--stage <name>', 'in AWS: name of a new stage to deploy', 'compare')
    .addOption(inAws('--budget <usd>', 'upper limit of the computed cost. Nothing starts above it').argParser(positive))
    .addOption(inAws('--yes', 'start without asking about the price'))
    .addOption(inAws('--teardown', 'only remove the stage of the comparison in --out'))
    .option('--policy', 'only print the IAM policy that --aws needs')
    .option('--schema', 'only print the JSON schema of comparison.json')
    .addHelpText('after', HELP)
    .action(async (options: CompareCommand & { schema?: boolean; policy?: boolean }) => {
      if (options.schema) console.log(comparisonJsonSchema());
      else if (options.policy) await printPolicy(options.stage);
      else await onCompare(options);
    });
}

/** An option for comparisons in AWS. */
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
    throw new InvalidArgumentError(`unknown design ${unknown}: choose from ${Object.keys(TARGETS).join(', ')}.`);
  // The order of the table.
  return Object.keys(TARGETS).filter((name) => names.includes(name));
}
