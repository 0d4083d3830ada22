import { npmCommand } from '../../shared/command/npmCommand.ts';
import { StageFile } from '../config/stageFile.ts';
import { runCdk, stageAndRest } from './cdk.ts';

/** `npm run destroy`: `cdk destroy --all` for the stacks of one stage. */
const program = npmCommand(
  'destroy',
  'Deletes the stacks of a stage. Runs `cdk destroy --all` with all options (cdk destroy --help).',
)
  .usage('[stage] [options]')
  .addHelpText(
    'after',
    '\nThe stage is the name of the deployment (default: dev). Its settings are in flagwire.<stage>.json.',
  )
  .allowUnknownOption()
  .allowExcessArguments()
  .parse();
const { stage, rest } = stageAndRest(program);
try {
  new StageFile(stage).config();
  process.exitCode = runCdk(['destroy', '--all', '-c', `stage=${stage}`, ...rest]);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
