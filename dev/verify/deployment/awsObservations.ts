import { setTimeout as sleep } from 'node:timers/promises';
import { type CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { type CloudWatchClient, DescribeAlarmsCommand, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { ListCommandInvocationsCommand, SendCommandCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { type DescribeAlarms, readAlarms } from '../../../console/deployed/alarms.ts';
import type { Answer, Observation } from './report.ts';

/** A deployment as AWS shows it to its owner. */
export interface Account {
  readonly name: string;
  readonly stage: string;
  readonly cloudFormation: CloudFormationClient;
  readonly cloudWatch: Pick<CloudWatchClient, 'send'>;
  readonly systemsManager: Pick<SSMClient, 'send'>;
  readonly region: string;
  /** Time between two checks of a command on hosts. */
  readonly pollMs?: number;
}

const DAY_S = 86_400;
/** The largest lag of the stream that changes need to arrive within a second. */
const STREAM_LAG_MS = 1_000;
/** Prints what a host keeps of its installation. Machines without a host print nothing. */
const HOST_SCRIPT = `systemctl cat flagwire-host >/dev/null 2>&1 || exit 0
echo "service $(systemctl is-active flagwire-host), /tmp $(du -sm /tmp | cut -f 1) MB, memory $(free -m | awk '/^Mem/{print $7}') MB free"`;

/** Observations with the rights of the account's owner. Nothing is changed. */
export function awsObservations(account: Account): readonly Observation[] {
  const { name, stage, cloudWatch, region } = account;
  return [
    {
      question: 'alarms that fire',
      look: async () => {
        const describe: DescribeAlarms = async (input) =>
          (await cloudWatch.send(new DescribeAlarmsCommand(input))).MetricAlarms ?? [];
        const { total, firing } = await readAlarms(describe, `${name}-${stage}`, region);
        const names = firing.map((alarm) => alarm.name).join(', ');
        return { answer: `${names || 'none'} of ${total}`, isPromised: firing.length === 0 };
      },
    },
    {
      question: 'events that Lambda dropped as recursive in 24 hours (run `secret rotate --grace 5h` before)',
      look: () => metricOfFunctions(account, 'RecursiveInvocationsDropped', 'Sum', 0),
    },
    {
      question: 'the largest lag of the stream of changes in 24 hours, ms',
      look: () => metricOfFunctions(account, 'IteratorAge', 'Maximum', STREAM_LAG_MS),
    },
    { question: 'hosts on EC2 after their installation', look: () => lookAtHosts(account) },
  ];
}

/** A metric of each function of a deployment. @param most the largest value that is as promised */
async function metricOfFunctions(
  account: Account,
  MetricName: string,
  Stat: 'Sum' | 'Maximum',
  most: number,
): Promise<Answer> {
  const functions = await functionsOf(account);
  const query = (value: string, n: number) => {
    const Metric = { Namespace: 'AWS/Lambda', MetricName, Dimensions: [{ Name: 'FunctionName', Value: value }] };
    return { Id: `f${n}`, Label: value, MetricStat: { Metric, Stat, Period: DAY_S } };
  };
  const now = Date.now();
  const { MetricDataResults = [] } = await account.cloudWatch.send(
    new GetMetricDataCommand({
      MetricDataQueries: functions.map(query),
      StartTime: new Date(now - DAY_S * 1_000),
      EndTime: new Date(now),
    }),
  );
  const seen = MetricDataResults.map(({ Label = '', Values = [] }) => ({ Label, value: Math.max(0, ...Values) }));
  const above = seen.filter(({ value }) => value > most).map(({ Label, value }) => `${Label}: ${value}`);
  const largest = Math.max(0, ...seen.map(({ value }) => value));
  return { answer: above.join(', ') || `${largest} (${functions.length} functions)`, isPromised: above.length === 0 };
}

async function functionsOf({ cloudFormation: client, name, stage }: Account): Promise<string[]> {
  const found: string[] = [];
  for (const stack of ['Data', 'Serverless']) {
    const pages = paginateListStackResources({ client }, { StackName: `${name}-${stage}-${stack}` });
    for await (const { StackResourceSummaries = [] } of pages)
      for (const { ResourceType, PhysicalResourceId } of StackResourceSummaries)
        if (ResourceType === 'AWS::Lambda::Function' && PhysicalResourceId) found.push(PhysicalResourceId);
  }
  return found;
}

/** @returns undefined for a deployment without machines */
async function lookAtHosts(account: Account): Promise<Answer | undefined> {
  const ended = await runOnHosts(account, HOST_SCRIPT);
  const lines = ended.flatMap(({ instance, isDone, output }) =>
    isDone && output === '' ? [] : [`${instance}: ${output || 'failed'}`],
  );
  const isGood = (line: string) => /service active, \/tmp [0-9] MB/.test(line);
  return lines.length === 0 ? undefined : { answer: lines.join('; '), isPromised: lines.every(isGood) };
}

/** Checks of a command: half a minute. A machine that is not connected by then does not run it later. */
const POLLS = 10;
const START_TIMEOUT_S = 30;

/** What a machine did with a command. */
interface CommandResult {
  readonly instance: string;
  readonly isDone: boolean;
  readonly output: string;
}

/** Runs a shell script on the machines of a stage. @returns nothing if no machine has ended it after half a minute */
export async function runOnHosts(
  { systemsManager, name, stage, pollMs = 3_000 }: Account,
  script: string,
): Promise<readonly CommandResult[]> {
  const { Command } = await systemsManager.send(
    new SendCommandCommand({
      DocumentName: 'AWS-RunShellScript',
      Targets: Object.entries({ app: name.toLowerCase(), stage }).map(([tag, value]) => ({
        Key: `tag:${tag}`,
        Values: [value],
      })),
      Parameters: { commands: [script] },
      TimeoutSeconds: START_TIMEOUT_S,
    }),
  );
  for (let n = 0; n < POLLS; n++) {
    await sleep(pollMs);
    const { CommandInvocations = [] } = await systemsManager.send(
      new ListCommandInvocationsCommand({ CommandId: Command?.CommandId, Details: true }),
    );
    const isOver = CommandInvocations.every(
      ({ Status = '' }) => !['Pending', 'InProgress', 'Delayed'].includes(Status),
    );
    if (CommandInvocations.length === 0 || !isOver) continue;
    return CommandInvocations.map(({ InstanceId = '', Status = '', CommandPlugins: [plugin] = [] }) => {
      const isDone = Status === 'Success';
      return { instance: InstanceId, isDone, output: plugin?.Output?.trim() || (isDone ? '' : Status) };
    });
  }
  return [];
}
