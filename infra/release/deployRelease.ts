import {
  DeleteChangeSetCommand,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  ExecuteChangeSetCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import type { S3Client } from '@aws-sdk/client-s3';
import { throttleOf } from '../config/regions.ts';
import type { Prompt } from '../preflight/acceptDropped.ts';
import { type CloudFormationDeps, createChangeSet, describeChanges, followStack, readStack } from './stackChanges.ts';
import { type AssetsPlace, type ReleaseFolder, uploadRelease } from './uploadRelease.ts';

/** Settings of a deployment. */
export interface DeploySettings extends AssetsPlace {
  readonly stack: string;
  /** @default the address of the current deployment */
  readonly alarmEmail?: string | undefined;
  /** Whether changes are deployed without asking. */
  readonly isAccepted: boolean;
}

/** Dependencies of a deployment. */
export interface DeployDeps extends CloudFormationDeps {
  readonly s3: S3Client;
  readonly release: ReleaseFolder;
  readonly prompt: Prompt;
  readonly say: (line: string) => void;
  /** Prints a result. */
  readonly print: (line: string) => void;
}

/**
 * Deploys the template of a release.
 *
 * @returns whether the stack now has this release
 * @throws Error saying why nothing was deployed, and the way out
 */
export async function deployRelease(settings: DeploySettings, deps: DeployDeps): Promise<boolean> {
  const { stack: name, region, alarmEmail, isAccepted } = settings;
  const { cloudFormation, release, prompt, say } = deps;
  if (!isAccepted && !prompt.isTerminal)
    throw new Error('Nothing was deployed, because no terminal can confirm the changes. Add --yes.');
  checkThrottle(region);
  const before = await readStack(deps, name);
  const isNew = before === undefined || before.StackStatus === 'REVIEW_IN_PROGRESS';
  if (!isNew) checkStack(before, name, region);

  const { bucket, templateUrl } = await uploadRelease(deps.s3, release, settings, say);
  const changeSet = { StackName: name, ChangeSetName: `flagwire-${Date.now()}` };
  const email = alarmEmail === undefined ? { UsePreviousValue: true } : { ParameterValue: alarmEmail };
  const changes = await createChangeSet(deps, {
    ...changeSet,
    ChangeSetType: isNew ? 'CREATE' : 'UPDATE',
    TemplateURL: templateUrl,
    Capabilities: ['CAPABILITY_IAM'],
    Parameters: [
      { ParameterKey: 'AssetsBucket', ParameterValue: bucket },
      ...(isNew && alarmEmail === undefined ? [] : [{ ParameterKey: 'AlarmEmail', ...email }]),
    ],
  });
  if (changes.length === 0) {
    say(`Stack ${name} has this release already.`);
    printOutputs(before, deps);
    return true;
  }
  say(`Changes of stack ${name}:`);
  for (const line of describeChanges(changes)) say(line);
  // Ctrl-C and Ctrl-D reject: they mean no.
  const answer = isAccepted ? 'y' : await prompt.ask('Deploy these changes? [y/N] ').catch(() => '');
  if (!/^y(es)?$/i.test(answer.trim())) {
    await cloudFormation.send(new DeleteChangeSetCommand(changeSet));
    // The change set created the stack, which has no resources yet.
    const isEmpty = before === undefined && (await readStack(deps, name))?.StackStatus === 'REVIEW_IN_PROGRESS';
    if (isEmpty) await cloudFormation.send(new DeleteStackCommand({ StackName: name }));
    say('Nothing was deployed.');
    return false;
  }

  const changed = new Set(changes.map(({ ResourceChange }) => ResourceChange?.LogicalResourceId ?? ''));
  // Later events are in front of these.
  const { StackEvents = [] } = await cloudFormation.send(new DescribeStackEventsCommand({ StackName: name }));
  const known = new Set(StackEvents.map(({ EventId = '' }) => EventId));
  await cloudFormation.send(new ExecuteChangeSetCommand(changeSet));
  const events = `aws cloudformation describe-stack-events --stack-name ${name} --region ${region}`;
  const sayContinues = () => say(`\nThe deployment continues in AWS. See its events: ${events}`);
  const interrupt = () => {
    sayContinues();
    process.exit(1);
  };
  process.once('SIGINT', interrupt);
  try {
    const stack = await followStack(deps, name, known, changed);
    const status = stack?.StackStatus ?? 'deleted';
    if (/^(CREATE|UPDATE)_COMPLETE$/.test(status)) {
      printOutputs(stack, deps);
      const command = stack?.Outputs?.find(({ OutputKey }) => OutputKey === 'FlagsCli')?.OutputValue ?? '';
      if (isNew) deps.print(`\nCreate an environment. The command prints its SDK keys:\n  ${command}`);
      return true;
    }
    say(`The deployment failed. Stack ${name} is ${status}.`);
    say(`All events: ${events}`);
    if (isNew) say(`Before you deploy again, ${deletion(name, region)}`);
    return false;
  } catch (error) {
    sayContinues();
    throw error;
  } finally {
    process.removeListener('SIGINT', interrupt);
  }
}

/** @throws Error for a region whose quota is below the limits in the template */
function checkThrottle(region: string): void {
  const { rate } = throttleOf(region);
  const needed = throttleOf(undefined).rate;
  if (rate >= needed) return;
  throw new Error(
    `API Gateway in ${region} accepts ${rate.toLocaleString('en-US')} requests a second by default, and this template needs ${needed.toLocaleString('en-US')}. Deploy with the CDK package flagwire-cdk and throttlingRate: ${rate}, or run npm run deploy in a clone.`,
  );
}

/** @throws Error for a stack that cannot be updated, or is not of Flagwire: an update would delete its resources */
function checkStack({ StackStatus, Parameters = [] }: Stack, name: string, region: string): void {
  const status = String(StackStatus);
  if (!Parameters.some(({ ParameterKey }) => ParameterKey === 'AssetsBucket'))
    throw new Error(`Stack ${name} was not created from this template. Choose another name with --stack.`);
  if (status.endsWith('_IN_PROGRESS'))
    throw new Error(`Stack ${name} is ${status}. Wait until it is complete, then repeat your command.`);
  if (/^(ROLLBACK_|DELETE_|CREATE_FAILED)/.test(status))
    throw new Error(`Stack ${name} is ${status}. Before you deploy again, ${deletion(name, region)}`);
}

function deletion(name: string, region: string): string {
  return `delete the stack. Its tables, bucket and logs stay: aws cloudformation delete-stack --stack-name ${name} --region ${region}`;
}

function printOutputs(stack: Stack | undefined, { print }: DeployDeps): void {
  for (const { OutputKey = '', OutputValue = '' } of stack?.Outputs ?? [])
    if (OutputKey !== 'FlagsCli') print(`${OutputKey.padEnd(20)} ${OutputValue}`);
}
