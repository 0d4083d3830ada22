import { existsSync } from 'node:fs';
import { S3Client } from '@aws-sdk/client-s3';
import { SSMClient } from '@aws-sdk/client-ssm';
import { MONTH_HOURS } from '../../../cost/prices/tiers.ts';
import { ofRepository, RunningProcess } from '../../../dev/support/runningProcess.ts';
import type { Config } from '../../../infra/config/config.ts';
import { deploymentName } from '../../../infra/config/deploymentName.ts';
import { StageFile } from '../../../infra/config/stageFile.ts';
import { type Prompt, terminalPrompt } from '../../../infra/preflight/acceptDropped.ts';
import { readAccount, regionOf } from '../../../infra/preflight/account.ts';
import { readIdentity } from '../../../infra/preflight/callerIdentity.ts';
import { idleCost } from '../../../infra/preflight/idleCost.ts';
import { quoteWord } from '../../../shared/command/quoteWord.ts';
import { throughProxy } from '../../../shared/runtime/throughProxy.ts';
import { agreeTo, type Estimate, gatewayItems, sayPrice, totalOf } from '../../runner/estimate.ts';
import { EXIT, findExitCode, WrongArguments } from '../../runner/outcome.ts';
import type { Control, Progress } from '../../runner/progress.ts';
import type { LoadProfile } from '../../scenarios/loadProfile.ts';
import { chooseFolder, compareDesigns } from '../compare.ts';
import { type CompareOptions, profilesFor, ratesOf, secondsOf } from '../rounds.ts';
import { awsDesigns, createLoadEnvironment } from './awsDesigns.ts';
import { type CompareSettings, type CompareStage, compareSettings } from './compareStage.ts';
import { generatorMachine, prepareMachine } from './machineSource.ts';
import { findQuotaProblems } from './quotaCheck.ts';
import { type Ledger, openStage, readLedger, removal, type TeardownDeps, teardown, writeLedger } from './teardown.ts';

/** Options of a comparison in AWS. */
export interface AwsOptions extends CompareOptions {
  readonly stage: string;
  readonly budget?: number;
  readonly yes?: boolean;
  readonly teardown?: boolean;
}

/** Dependencies of a comparison in AWS. */
export interface AwsDeps extends TeardownDeps {
  readonly prompt: Prompt;
  /** Deploys the stage with these settings. @throws Error if that fails */
  readonly deploy: (stage: string, settings: CompareSettings) => Promise<void>;
}

/**
 * Deploys a separate stage, compares the designs in it, and always removes it.
 *
 * @param signal aborts the measurement; the stage is removed anyway
 * @returns the exit code
 * @throws {WrongArguments} if the account, the budget or the stage does not allow it; nothing is deployed then
 */
export async function compareInAws(options: AwsOptions, deps: AwsDeps, signal: AbortSignal): Promise<number> {
  const { progress } = deps;
  if (options.teardown) {
    if (options.out === undefined)
      throw new WrongArguments('--teardown needs --out, the folder of the comparison to remove.');
    return (await teardown(options.out, deps)) ? EXIT.good : EXIT.own;
  }
  const file = new StageFile(options.stage);
  const region = file.config().region ?? (await regionOf(process.env));
  if (region === undefined) throw new WrongArguments('No AWS region is set. Set AWS_REGION.');
  const { account } = await readIdentity(region);
  const deployment = deploymentName(file.config());
  const ledger = { deployment, stage: options.stage, region, account };
  const stage = openStage(ledger, deps);
  progress.say(`${deployment} deploys to account ${account}, region ${region}, and is removed afterwards.`);
  await checkAccount(options, region, progress);
  const out = chooseFolder(options);
  await checkStage(stage, out, ledger);
  const settings = compareSettings(options.target);
  await confirmPrice(options, file.config(settings), region, deps);
  if (signal.aborted) return EXIT.invalid;

  writeLedger(out, ledger);
  let code: number;
  try {
    progress.say(`deploying (about 15 minutes). If this command is killed, remove the stage with: ${removal(out)}`);
    await deps.deploy(options.stage, settings);
    code = signal.aborted ? EXIT.invalid : await measureIn(stage, region, options, out, { ...deps, signal });
  } catch (error) {
    progress.say(
      signal.aborted ? `interrupted; continue with --resume --out ${quoteWord(out)}` : (error as Error).message,
    );
    code = signal.aborted ? EXIT.invalid : findExitCode(error);
  }
  return (await teardown(out, deps)) ? code : EXIT.own;
}

/** Measures the deployed designs. @returns the exit code */
async function measureIn(
  stage: CompareStage,
  region: string,
  options: AwsOptions,
  out: string,
  { pollMs, ...control }: AwsDeps & Control,
): Promise<number> {
  const access = {
    instanceId: await stage.output('Host', 'LoadGeneratorId'),
    bucket: await stage.output('Host', 'LoadBucketName'),
    ssm: new SSMClient({ region, requestHandler: throughProxy() }),
    s3: new S3Client({ region, requestHandler: throughProxy() }),
    pollMs,
  };
  const environment = await createLoadEnvironment(await stage.output('Data', 'FlagsTableName'), region);
  control.progress.say('installing artillery on the load generator');
  await prepareMachine(access, control);
  const all = awsDesigns(stage, environment, region, POLLS_UNTIL_USAGE * pollMs);
  const designs = options.target.flatMap((target) => all[target] ?? []);
  return compareDesigns({ designs, options, out, source: generatorMachine(access) }, control);
}

/** Metrics reach CloudWatch within 90 s. */
const POLLS_UNTIL_USAGE = 18;

/** Refuses rates above the account's quotas, and names the highest possible rate. */
async function checkAccount(options: AwsOptions, region: string, progress: Progress): Promise<void> {
  if (!options.target.includes('serverless')) return;
  const { limits, unread } = await readAccount(region);
  for (const { what, error } of unread) progress.say(`Cannot read ${what} (${error.name}); this quota is not checked.`);
  const problems = findQuotaProblems(ratesOf(options), limits);
  if (problems.length === 0) return;
  const highest = Math.min(...problems.map((problem) => problem.highest));
  throw new WrongArguments(
    [
      ...problems.map(({ text }) => text),
      `Nothing was deployed. Use --rates ${highest}, which the account allows, or compare without serverless: --target host,fargate.`,
    ].join('\n'),
  );
}

/** Refuses an existing stage, unless this folder's comparison deployed it. */
async function checkStage(stage: CompareStage, out: string, wanted: Ledger): Promise<void> {
  const ledger = readLedger(out);
  for (const key of ['deployment', 'stage', 'region', 'account'] as const)
    if (ledger && ledger[key] !== wanted[key])
      throw new WrongArguments(
        `${out} still has ${ledger.deployment} deployed in account ${ledger.account}, region ${ledger.region}. Remove it first: ${removal(out)}`,
      );
  if (ledger) return;
  const [found] = await stage.existing();
  const file = `flagwire.${wanted.stage}.json`;
  if (found === undefined && !existsSync(file)) return;
  throw new WrongArguments(
    `${found ?? file} already exists. A comparison deploys and removes a separate stage. Choose another --stage.`,
  );
}

/** Prints the price, and stops unless the operator agrees. */
async function confirmPrice(options: AwsOptions, config: Config, region: string, { progress, prompt }: AwsDeps) {
  // All designs take the same runs.
  const plans = profilesFor({ name: '', part: 1 }, options);
  const all = options.target.flatMap(() => plans);
  const price = comparisonPrice(config, region, all, options.target.includes('serverless') ? plans : []);
  if (options.budget === undefined && !options.yes && prompt.isTerminal) {
    sayPrice(price, progress.say);
    if (/^y(es)?$/i.test(await prompt.ask('Deploy and measure? (y/N) '))) return;
    throw new WrongArguments('Nothing was started.');
  }
  agreeTo(price, options, progress.say);
}

/** Dependencies of the command line. */
export const awsDeps = (progress: Progress): AwsDeps => ({
  progress,
  prompt: terminalPrompt,
  deploy: deployStage,
  pollMs: 5_000,
});

/** Deploys with `npm run deploy`, which checks the account first. */
async function deployStage(stage: string, settings: CompareSettings): Promise<void> {
  const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
  const command = ofRepository('infra/preflight/deploy.ts', [stage, ...set, '--require-approval', 'never']);
  const code = await new RunningProcess(command, { stdout: 'inherit', stderr: 'inherit', exitSignal: 'SIGTERM' }).ended;
  if (code !== 0) throw new Error(`npm run deploy -- ${stage} ended with exit code ${code}. Its output is above.`);
}

/**
 * US dollars an hour of the load generator, a c6i.xlarge with Linux on demand in us-east-1: an eighth of a c6i.8xlarge's 1.36, as
 * Karpenter lists AWS's prices (pkg/providers/pricing/zz_generated.pricing_aws.go, 2026-07-20).
 */
const GENERATOR_HOUR = 0.17;

/** Time between runs: Systems Manager, the archive, and CloudWatch's delay. */
const OVERHEAD_S = 120;

/** Hours to deploy and remove the stage. */
const STAGE_HOURS = 0.5;

/**
 * Computes what a comparison costs.
 *
 * @param plans of all runs
 * @param gatewayPlans of the runs against API Gateway, which charges for requests
 */
function comparisonPrice(
  config: Config,
  region: string,
  plans: readonly LoadProfile[],
  gatewayPlans: readonly LoadProfile[],
): Estimate {
  const hours = STAGE_HOURS + secondsOf(plans, OVERHEAD_S) / 3_600;
  const items: [string, number][] = [
    [`the stacks for ${hours.toFixed(1)} h`, (idleCost(config, region).usd / MONTH_HOURS) * hours],
    [`the load generator for ${hours.toFixed(1)} h`, GENERATOR_HOUR * hours],
    ...(gatewayPlans.length > 0 ? gatewayItems(gatewayPlans) : []),
  ];
  return totalOf(items);
}
