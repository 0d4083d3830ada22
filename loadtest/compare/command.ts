import { type Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber, wholeNumbers } from '../../shared/command/numbers.ts';
import { userPath } from '../../shared/command/userPath.ts';
import { asJsonSchema } from '../results/schema.ts';
import { positive } from '../runner/options.ts';
import type { AwsOptions } from './aws/compareAws.ts';
import { TARGETS } from './designs.ts';
import { comparisonSchema } from './reportSchema.ts';

const HELP = `
Without --aws, the serverless design runs in an AWS emulator on this machine, at 1/50 of the rates and quotas. The report marks its figures as simulated.

With --aws, the command checks the quotas and computes the cost. Then it deploys a separate stage with a load generator, and runs the benchmark.
It removes the stage at the end, also after Ctrl-C. If the command itself is killed, run it again with --teardown and the same --out.

Examples:
  npm run loadtest -- compare --quick
  npm run loadtest -- compare --aws --quick --rates 500 --budget 5

Exit code: 0 if all runs are valid, otherwise:
  2  An argument is invalid.
  3  A run is invalid, or the comparison was interrupted.
  5  The comparison itself failed.`;

/** Whose policy is printed: that of who runs the comparison, or of CloudFormation. */
const POLICIES = ['caller', 'execution'] as const;

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
      'runs FeatBit’s benchmark on three designs (serverless, one host, Fargate), and compares the results with FeatBit’s published figures',
    )
    .option('--target <names>', `designs to compare, separated by commas: ${all.join(', ')}`, targets, all)
    .option('--quick', 'do one run of 45 s at each rate, and send changes to 2,000 clients')
    .option('--rates <n,...>', 'new connections a second (default 1000,1100,1200)', wholeNumbers)
    .option('--runs <n>', 'number of runs of 45 s at each rate (default 5). A run of 180 s follows', wholeNumber)
    .option('--out <folder>', 'folder for the results (default dist/loadtest/compare-<time>)', userPath)
    .option('--resume', 'continue the interrupted comparison in the --out folder')
    .option('--aws', 'deploy the three designs into your AWS account, run the comparison there, and remove them')
    .option('--stage <name>', 'in AWS: name of the stage to create', 'compare')
    .addOption(
      inAws('--budget <usd>', 'maximum computed cost. A more expensive comparison does not start').argParser(positive),
    )
    .addOption(inAws('--yes', 'do not ask for confirmation of the cost'))
    .addOption(inAws('--teardown', 'only remove the stage of the comparison in the --out folder'))
    .addOption(
      new Option(
        '--policy [of]',
        'print the IAM policy that --aws needs, or the policies that CloudFormation needs for it, one a line, and exit',
      )
        .choices(POLICIES)
        .preset('caller'),
    )
    .option('--schema', 'print the JSON schema of comparison.json, and exit')
    .addHelpText('after', HELP)
    .action(async (options: CompareCommand & { schema?: boolean; policy?: (typeof POLICIES)[number] }) => {
      if (options.schema) console.log(asJsonSchema('comparison.json of npm run loadtest -- compare', comparisonSchema));
      else if (options.policy) await printPolicy(options.policy, options.stage);
      else await onCompare(options);
    });
}

/** An option for comparisons in AWS. */
function inAws(flags: string, about: string): Option {
  return new Option(flags, `in AWS: ${about}`).implies({ aws: true });
}

async function printPolicy(of: (typeof POLICIES)[number], stage: string): Promise<void> {
  const { comparisonPolicy } = await import('./aws/accessPolicy.ts');
  const { compareSettings } = await import('./aws/compareStage.ts');
  const { StageFile } = await import('../../infra/config/stageFile.ts');
  const { deploymentName } = await import('../../infra/config/deploymentName.ts');
  const { printDocument } = await import('../../infra/access/print.ts');
  const config = new StageFile(stage).config(compareSettings(Object.keys(TARGETS)));
  if (of === 'execution') console.log(await printDocument('execution-policy', config));
  else console.log(JSON.stringify(comparisonPolicy(deploymentName(config), stage, config), null, 2));
}

function targets(text: string): string[] {
  const names = text.split(',');
  const unknown = names.find((name) => !(name in TARGETS));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`unknown design ${unknown}: choose from ${Object.keys(TARGETS).join(', ')}.`);
  // The order of the table.
  return Object.keys(TARGETS).filter((name) => names.includes(name));
}
