import { spawnSync } from 'node:child_process';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { contextOption, type GivenContext } from '../config/contextOption.ts';
import { cdkContext } from '../repository.ts';
import { preflight } from './preflight.ts';

interface Options {
  readonly context: GivenContext;
  readonly profile?: string;
  readonly preflight?: true;
  readonly synth?: true;
}

/** `npm run deploy`: a look at the account, and then `cdk deploy --all` with what was found and all that it was given. */
const program = npmCommand(
  'deploy',
  'Reads what the AWS account lets a deployment have, says what will not work, and runs `cdk deploy --all`. All other options ' +
    'are passed on to it (cdk deploy --help).',
)
  .addOption(contextOption())
  .option('--profile <name>', 'the AWS profile to deploy with')
  .option('--preflight', 'only read the account and say what will not work, with the way out')
  .option('--synth', 'only synthesize the stacks into cdk.out, bundles included; needs no credentials and no network')
  .addHelpText('after', '\nExit code: that of cdk, or 1 with nothing created where AWS would refuse the deployment.')
  .allowUnknownOption()
  .allowExcessArguments()
  .parse();
const options = program.opts<Options>();
const alone = options.synth ? '--synth' : options.preflight && '--preflight';
if (options.synth && options.preflight) program.error('error: --synth and --preflight are one or the other');
if (alone && program.args.length > 0) program.error(`error: ${alone} does not take ${program.args[0]}`);
if (options.profile !== undefined) process.env['AWS_PROFILE'] = options.profile;
try {
  process.exitCode = await main({ ...cdkContext(), ...options.context });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** @returns the exit code */
async function main(context: Readonly<Record<string, unknown>>): Promise<number> {
  if (options.synth) {
    // The CDK takes a second to load.
    const { synthesize } = await import('../synth.ts');
    synthesize(context);
    return 0;
  }
  const { isRefused, settings } = await preflight(context, options.preflight ? console.log : console.error);
  if (isRefused) return 1;
  return options.preflight ? 0 : deploy(settings);
}

/** @returns the exit code of cdk */
function deploy(settings: GivenContext): number {
  const found = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const args = ['deploy', '--all', ...found, ...process.argv.slice(2)];
  const { status, error } = spawnSync('cdk', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) throw new Error(`cdk could not be run (${error.message}): run this by npm, after npm ci.`);
  return status ?? 1;
}
