import { npmCommand, writeError } from '../../shared/command/npmCommand.ts';
import type { Config } from '../config/config.ts';
import { ArgumentError } from '../config/configError.ts';
import { DECIDED_SETTINGS } from '../config/decidedSettings.ts';
import { StageFile } from '../config/stageFile.ts';
import { runCdk, stageAndRest } from './cdk.ts';

/** `npm run destroy`: `cdk destroy --all` for the stacks of one stage. */
const program = npmCommand(
  'destroy',
  'Checks the credentials, then deletes the stacks of a stage. Runs `cdk destroy --all` with all other options (cdk destroy --help).',
)
  .usage('[stage] [options]')
  .addHelpText(
    'after',
    '\nThe stage is the name of the deployment (default: dev). Its settings are in flagwire.<stage>.json.' +
      '\nExit code: the exit code of cdk. If the credentials cannot be used, it is 1. If an argument is invalid, it is 2. In both cases nothing is deleted.',
  )
  .option('--profile <name>', 'the AWS profile to delete with')
  .allowUnknownOption()
  .allowExcessArguments()
  .parse();
const { stage, rest } = stageAndRest(program, 'destroy');
const { profile } = program.opts<{ profile?: string }>();
if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
try {
  const { findDestination } = await import('./identity.ts');
  const file = new StageFile(stage);
  const destination = await findDestination(file, 'is deleted from', writeError);
  // The stacks have the same names with defaults.
  process.env[DECIDED_SETTINGS] = '{}';
  process.exitCode = destination
    ? runCdk(['destroy', '--all', '-c', `stage=${stage}`, ...(profile ? ['--profile', profile] : []), ...rest])
    : 1;
  if (destination && process.exitCode !== 0) explainLeftovers(file.config());
} catch (error) {
  writeError((error as Error).message);
  process.exitCode = error instanceof ArgumentError ? 2 : 1;
}

/** Says what to do about the network of a host behind CloudFront. EC2 refuses to delete it while it has the security group. */
function explainLeftovers({ frontDoor, host }: Config): void {
  if (!frontDoor && !host?.tls) return;
  writeError(
    'If the network was not deleted: CloudFront removes its security group from it later, possibly after hours. Then run this command again.',
  );
}
