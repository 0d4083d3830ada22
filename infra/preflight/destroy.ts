import { npmCommand } from '../../shared/command/npmCommand.ts';
import { StageFile } from '../config/stageFile.ts';
import { runCdk, stageAndRest } from './cdk.ts';

/** `npm run destroy`: `cdk destroy --all` for the stacks of one stage. */
const program = npmCommand(
  'destroy',
  'Runs `cdk destroy --all` for the stacks that the settings of a stage name. All options are passed on to it (cdk destroy --help).',
)
  .usage('[stage] [options]')
  .addHelpText('after', '\nThe stage names the deployment, dev without it; its settings are in flagwire.<stage>.json.')
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
