import { spawnSync } from 'node:child_process';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { contextOption, type GivenContext } from '../config/contextOption.ts';
import { cdkContext } from '../repository.ts';
import { preflight } from './preflight.ts';

/** `npm run deploy`: a look at the account, and then `cdk deploy --all` with what was found and all that it was given. */
const { context, profile } = npmCommand(
  'deploy',
  'Reads what the AWS account lets a deployment have, says what will not work, and runs `cdk deploy --all`. All options are ' +
    'passed on to it (cdk deploy --help).',
)
  .addOption(contextOption())
  .option('--profile <name>', 'the AWS profile to deploy with')
  .addHelpText('after', '\nExit code: that of cdk, or 1 with nothing created where AWS would refuse the deployment.')
  .allowUnknownOption()
  .allowExcessArguments()
  .parse()
  .opts<{ context: GivenContext; profile?: string }>();
if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
try {
  const { isRefused, settings } = await preflight({ ...cdkContext(), ...context }, console.error);
  process.exitCode = isRefused ? 1 : deploy(settings);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** @returns the exit code of cdk */
function deploy(settings: GivenContext): number {
  const found = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const args = ['deploy', '--all', ...found, ...process.argv.slice(2)];
  const { status, error } = spawnSync('cdk', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) throw new Error(`cdk could not be run (${error.message}): run this by npm, after npm ci.`);
  return status ?? 1;
}
