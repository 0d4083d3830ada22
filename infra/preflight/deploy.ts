import { type Command, Option } from 'commander';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { DOCUMENT_NAMES, printDocument } from '../access/print.ts';
import { DECIDED_SETTINGS } from '../config/decidedSettings.ts';
import { StageFile } from '../config/stageFile.ts';
import { runCdk, stageAndRest } from './cdk.ts';

interface Options {
  readonly set: readonly string[];
  readonly settings?: true;
  readonly acceptDropped?: true;
  readonly profile?: string;
  readonly preflight?: true;
  readonly synth?: true;
  readonly print?: string;
}

/** `npm run deploy`: a look at the account, and then `cdk deploy --all` with what was found and all that it was given. */
const program = npmCommand(
  'deploy',
  'Checks the credentials, says which settings would be dropped, what the deployment costs unused and what the AWS account ' +
    'will not let it have, and runs `cdk deploy --all`. All other options ' +
    'are passed on to it (cdk deploy --help).',
)
  .usage('[stage] [options]')
  .addHelpText(
    'after',
    '\nThe stage names the deployment, dev without it; its settings are in flagwire.<stage>.json.' +
      '\nExit code: that of cdk, or 1 with nothing created where AWS or you refuse the deployment.',
  )
  .option(
    '--set <key=value>',
    "write a setting into the stage's file first, as often as wanted; key= takes it out",
    (text: string, before: readonly string[]) => [...before, text],
    [],
  )
  .option('--settings', 'only list all settings with value, default and meaning')
  .option('--accept-dropped', 'deploy also where settings of the deployment are dropped or become their default')
  .option('--profile <name>', 'the AWS profile to deploy with')
  .option('--preflight', 'only read the account and say what will not work, with the way out')
  .option('--synth', 'only synthesize the stacks into cdk.out, bundles included; needs no credentials and no network')
  .addOption(
    new Option(
      '--print <document>',
      'only print the policy of CloudFormation, of whoever deploys, the trust of a role for GitHub, or a workflow that deploys',
    ).choices(DOCUMENT_NAMES),
  )
  .allowUnknownOption()
  .allowExcessArguments()
  .parse();
const options = program.opts<Options>();
const { stage, rest } = stageAndRest(program);
refuseMixtures(program);
if (options.profile !== undefined) process.env['AWS_PROFILE'] = options.profile;
try {
  process.exitCode = await main(new StageFile(stage));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** Loads what takes a second only where it is needed. @returns the exit code */
async function main(file: StageFile): Promise<number> {
  if (options.set.length > 0) file.set(options.set);
  if (options.settings) {
    const { describeSettings } = await import('../config/describe.ts');
    console.log(describeSettings(file.config()));
    return 0;
  }
  if (options.print) {
    console.log(await printDocument(options.print, file.config()));
    return 0;
  }
  if (options.synth) {
    const { synthesize } = await import('../synth.ts');
    synthesize(file);
    return 0;
  }
  const { preflight } = await import('./preflight.ts');
  const { terminalPrompt } = await import('./acceptDropped.ts');
  const { isRefused, settings } = await preflight(file, {
    say: options.preflight ? console.log : console.error,
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
  const [only, other] = (['settings', 'synth', 'preflight', 'print'] as const).filter((name) => options[name]);
  if (only && other) command.error(`error: --${only} and --${other} are one or the other`);
  if (only && rest.length > 0) command.error(`error: --${only} does not take ${rest[0]}`);
}
