import { existsSync } from 'node:fs';
import { S3Client } from '@aws-sdk/client-s3';
import { SSMClient } from '@aws-sdk/client-ssm';
import { ofRepository, RunningProcess } from '../../../dev/support/runningProcess.ts';
import type { Config } from '../../../infra/config/config.ts';
import { deploymentName } from '../../../infra/config/deploymentName.ts';
import { StageFile } from '../../../infra/config/stageFile.ts';
import { type Prompt, terminalPrompt } from '../../../infra/preflight/acceptDropped.ts';
import { readAccount, regionOf } from '../../../infra/preflight/account.ts';
import { readIdentity } from '../../../infra/preflight/identity.ts';
import { agreeTo, sayPrice } from '../../runner/estimate.ts';
import { EXIT, findExitCode, WrongArguments } from '../../runner/outcome.ts';
import type { Progress } from '../../runner/progress.ts';
import { type CompareOptions, chooseFolder, compareDesigns, plansFor, ratesOf } from '../compare.ts';
import { awsDesigns, createLoadEnvironment } from './awsDesigns.ts';
import type { CompareStage } from './compareStage.ts';
import { generatorMachine, prepareMachine } from './machineSource.ts';
import { comparisonPrice } from './price.ts';
import { findQuotaProblems } from './quotaCheck.ts';
import { type Ledger, openStage, readLedger, removal, teardown, writeLedger } from './teardown.ts';

/** What the command line says of a comparison in AWS. */
export interface AwsOptions extends CompareOptions {
  readonly stage: string;
  readonly budget?: number;
  readonly yes?: boolean;
  readonly teardown?: boolean;
}

/** What a comparison in AWS needs of what is around it. */
export interface AwsDeps {
  readonly progress: Progress;
  readonly prompt: Prompt;
  /** Deploys the stage with these settings. @throws Error where it does not succeed */
  readonly deploy: (stage: string, settings: Readonly<Record<string, string>>) => Promise<void>;
  /** How often AWS is asked whether something is done. */
  readonly pollMs: number;
}

/** Two tasks throughout: more would be another design. */
const FARGATE_SETTINGS = { 'fargate.allowInsecure': 'true', 'fargate.maximum': '2' };

/** Settings of the stage: nothing that stays, and a load generator next to a host that is measured every second. */
const SETTINGS = {
  'host.loadGenerator': 'true',
  'host.metricsSeconds': '1',
  alarms: 'false',
  lean: 'true',
  retainData: 'false',
  streamingAccessLogs: 'off',
  terminationProtection: 'false',
} as const;

/**
 * Deploys a stage of its own, compares the designs in it, and removes it, whatever happens.
 *
 * @param signal ends the measurement before its time; the stage is removed all the same
 * @returns the exit code
 * @throws {WrongArguments} where the account, the budget or the stage does not allow it: nothing was deployed then
 */
export async function compareInAws(options: AwsOptions, deps: AwsDeps, signal: AbortSignal): Promise<number> {
  const { progress } = deps;
  if (options.teardown) return (await teardown(folderOf(options), deps)) ? EXIT.good : EXIT.own;
  const file = new StageFile(options.stage);
  const region = file.config().region ?? (await regionOf(process.env));
  if (region === undefined) throw new WrongArguments('no region is set: set AWS_REGION.');
  const { account } = await readIdentity(region);
  const deployment = deploymentName(file.config());
  const ledger = { deployment, stage: options.stage, region, account };
  const stage = openStage(ledger, deps);
  progress.say(`${deployment} goes to account ${account}, region ${region}, and is removed afterwards.`);
  await checkAccount(options, region, progress);
  const out = chooseFolder(options);
  await checkStage(stage, out, ledger);
  const hasFargate = options.target.includes('fargate');
  const shape = { host: { loadGenerator: true }, ...(hasFargate && { fargate: { allowInsecure: true } }) };
  await confirmPrice(options, file.config(shape), region, deps);
  if (signal.aborted) return EXIT.invalid;

  writeLedger(out, ledger);
  let code: number;
  try {
    progress.say(`deploying; that takes some 15 minutes. If this is killed, remove the stage: ${removal(out)}`);
    await deps.deploy(options.stage, { ...SETTINGS, ...(hasFargate && FARGATE_SETTINGS) });
    code = signal.aborted ? EXIT.invalid : await measureIn(stage, region, options, out, deps, signal);
  } catch (error) {
    progress.say(
      signal.aborted ? `it was interrupted; go on with it by --resume --out ${out}` : (error as Error).message,
    );
    code = signal.aborted ? EXIT.invalid : findExitCode(error);
  }
  return (await teardown(out, deps)) ? code : EXIT.own;
}

/** Measures what is deployed. @returns the exit code */
async function measureIn(
  stage: CompareStage,
  region: string,
  options: AwsOptions,
  out: string,
  { progress, pollMs }: AwsDeps,
  signal: AbortSignal,
): Promise<number> {
  const access = {
    instanceId: await stage.output('Host', 'LoadGeneratorId'),
    bucket: await stage.output('Host', 'LoadBucketName'),
    ssm: new SSMClient({ region }),
    s3: new S3Client({ region }),
    pollMs,
  };
  const environment = await createLoadEnvironment(await stage.output('Data', 'FlagsTableName'), region);
  progress.say('installing artillery on the load generator');
  await prepareMachine(access, progress, signal);
  const all = awsDesigns(stage, environment, region, POLLS_UNTIL_USAGE * pollMs);
  const designs = options.target.flatMap((target) => all[target] ?? []);
  return compareDesigns({ designs, options, out, source: generatorMachine(access) }, progress, signal);
}

/** CloudWatch has what was measured 90 s later. */
const POLLS_UNTIL_USAGE = 18;

function folderOf({ out }: AwsOptions): string {
  if (out === undefined) throw new WrongArguments('--teardown takes --out, the folder of the comparison to remove.');
  return out;
}

/** Refuses rates that the account does not let through, and says which it does. */
async function checkAccount(options: AwsOptions, region: string, progress: Progress): Promise<void> {
  if (!options.target.includes('serverless')) return;
  const { limits, unread } = await readAccount(region, false);
  for (const { what, error } of unread) progress.say(`${what} could not be read (${error.name}): it is not checked.`);
  const problems = findQuotaProblems(ratesOf(options), limits);
  if (problems.length === 0) return;
  const highest = Math.min(...problems.map((problem) => problem.highest));
  throw new WrongArguments(
    [
      ...problems.map(({ text }) => text),
      `Nothing was deployed. Take --rates ${highest}, which the account lets through, or leave serverless out: --target host,fargate.`,
    ].join('\n'),
  );
}

/** A stage that is there already is not ours to remove, unless this folder says so. */
async function checkStage(stage: CompareStage, out: string, wanted: Ledger): Promise<void> {
  const ledger = readLedger(out);
  for (const key of ['deployment', 'stage', 'region', 'account'] as const)
    if (ledger && ledger[key] !== wanted[key])
      throw new WrongArguments(
        `${out} has ${ledger.deployment} deployed in account ${ledger.account}, region ${ledger.region}. Remove it first: ${removal(out)}`,
      );
  if (ledger) return;
  const [found] = await stage.existing();
  const file = `flagwire.${wanted.stage}.json`;
  if (found === undefined && !existsSync(file)) return;
  throw new WrongArguments(
    `${found ?? file} exists already: a comparison deploys a stage of its own, and removes it. Choose another --stage.`,
  );
}

/** Says what it costs, and stops unless somebody agrees. */
async function confirmPrice(
  options: AwsOptions,
  config: Config,
  region: string,
  { progress, prompt }: AwsDeps,
): Promise<void> {
  const plans = options.target.map((name) => [name, plansFor(PRICED, options)] as const);
  const ofGateway = plans.filter(([name]) => name === 'serverless').flatMap(([, each]) => each);
  const price = comparisonPrice(
    config,
    region,
    plans.flatMap(([, each]) => each),
    ofGateway,
  );
  const say = (line: string) => progress.say(line);
  if (options.budget === undefined && !options.yes && prompt.isTerminal) {
    sayPrice(price, say);
    if (/^y(es)?$/i.test(await prompt.ask('Deploy and measure? (y/N) '))) return;
    throw new WrongArguments('nothing was started.');
  }
  agreeTo(price, options, say);
}

/** All designs take the same runs. */
const PRICED = { name: '', part: 1 } as const;

/** What the command line is run with. */
export const awsDeps = (progress: Progress): AwsDeps => ({
  progress,
  prompt: terminalPrompt,
  deploy: deployStage,
  pollMs: 5_000,
});

/** Deploys by `npm run deploy`, which looks at the account first. */
async function deployStage(stage: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
  const command = ofRepository('infra/preflight/deploy.ts', [stage, ...set, '--require-approval', 'never']);
  const code = await new RunningProcess(command, { stdout: 'inherit', stderr: 'inherit', exitSignal: 'SIGTERM' }).ended;
  if (code !== 0) throw new Error(`npm run deploy -- ${stage} ended with ${code}; what it said stands above.`);
}
