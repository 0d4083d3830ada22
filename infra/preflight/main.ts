import { npmCommand } from '../../shared/command/npmCommand.ts';
import { contextOption, type GivenContext } from '../config/contextOption.ts';
import { cdkContext } from '../repository.ts';
import { preflight } from './preflight.ts';

/** `npm run preflight`: what `npm run deploy` looks at first. */
const { context, profile } = npmCommand(
  'preflight',
  'Reads what the AWS account lets a deployment have, and says in one line each what will not work, with the way out. ' +
    'Creates nothing.',
)
  .addOption(contextOption())
  .option('--profile <name>', 'the AWS profile to look with')
  .addHelpText('after', '\nExit code: 0, or 1 where AWS would refuse the deployment.')
  .parse()
  .opts<{ context: GivenContext; profile?: string }>();
if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
try {
  const { isRefused } = await preflight({ ...cdkContext(), ...context }, console.log);
  if (isRefused) process.exitCode = 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
