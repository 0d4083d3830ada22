import { type Command, Option } from 'commander';
import { npmCommand, writeError } from '../../shared/command/npmCommand.ts';
import { DOCUMENT_NAMES, printDocument } from '../access/print.ts';
import { ArgumentError } from '../config/configError.ts';
import { DECIDED_SETTINGS } from '../config/decidedSettings.ts';
import { StageFile } from '../config/stageFile.ts';
import { runCdk, stageAndRest } from './cdk.ts';

interface Options {
  readonly set?: readonly string[];
  readonly settings?: true;
  readonly acceptDropped?: true;
  readonly profile?: string;
  readonly preflight?: true;
  readonly print?: (typeof DOCUMENT_NAMES)[number];
}

/** `npm run deploy`: checks the account, then runs `cdk deploy --all` with the settings that it found and the other arguments. */
const program = npmCommand(
  'deploy',
  'Deploys a stage. Before that, checks the credentials, lists settings that would be dropped, the cost when idle, and what ' +
    'the AWS account will refuse. Then runs `cdk deploy --all` with all other options (cdk deploy --help).',
)
  .usage('[stage] [options]')
  .addHelpText(
    'after',
    '\nThe stage is the name of the deployment (default: dev). Its settings are in flagwire.<stage>.json.' +
      '\nExit code: the exit code of cdk. If you or the checks refuse the deployment, it is 1. If an argument is invalid, it is 2. In both cases nothing is created.',
  )
  .option(
    '--set <key=value>',
    "write a setting into the stage's file first (repeatable); key= removes it. With --settings, --preflight or --print, it applies to that run only",
    (text: string, before: readonly string[] = []) => [...before, text],
  )
  .option('--settings', 'only list all settings: value, default and meaning')
  .option('--accept-dropped', 'deploy even if settings of the current deployment are dropped or reset to their default')
  .option('--profile <name>', 'the AWS profile to deploy with')
  .option('--preflight', 'only check the account: what AWS will refuse, and how to fix it')
  .addOption(
    new Option(
      '--print <document>',
      'only print IAM policies: for CloudFormation, one a line, or for the deployer',
    ).choices(DOCUMENT_NAMES),
  )
  .allowUnknownOption()
  .allowExcessArguments()
  .parse();
const options = program.opts<Options>();
const { stage, rest } = stageAndRest(program, 'deploy');
refuseMixtures(program);
if (options.profile !== undefined) process.env['AWS_PROFILE'] = options.profile;
try {
  process.exitCode = await main(new StageFile(stage));
} catch (error) {
  writeError((error as Error).message);
  process.exitCode = error instanceof ArgumentError ? 2 : 1;
}

/** Imports slow modules only when needed. @returns the exit code */
async function main(file: StageFile): Promise<number> {
  if (options.set) file.set(options.set);
  if (options.settings) {
    const { describeSettings } = await import('../config/describe.ts');
    console.log(describeSettings(file.config()));
    return 0;
  }
  if (options.print) {
    console.log(await printDocument(options.print, file.config()));
    return 0;
  }
  if (!options.preflight) file.save();
  const { preflight } = await import('./preflight.ts');
  const { terminalPrompt } = await import('./acceptDropped.ts');
  const { isRefused, settings } = await preflight(file, {
    say: options.preflight ? console.log : writeError,
    prompt: terminalPrompt,
    isDropAccepted: options.preflight ?? options.acceptDropped ?? false,
  });
  if (isRefused) return 1;
  if (options.preflight) return 0;
  const profile = options.profile === undefined ? [] : ['--profile', options.profile];
  process.env[DECIDED_SETTINGS] = JSON.stringify(settings);
  return runCdk(['deploy', '--all', '-c', `stage=${stage}`, ...profile, ...rest]);
}

function refuseMixtures(command: Command): void {
  const [only, other] = (['settings', 'preflight', 'print'] as const).filter((name) => options[name]);
  if (only && other) command.error(`error: --${only} and --${other} cannot be used together`);
  if (only && rest.length > 0) command.error(`error: --${only} does not take ${rest[0]}`);
}
