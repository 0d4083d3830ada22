import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { SSMClient } from '@aws-sdk/client-ssm';
import { Option } from 'commander';
import { findDeployment } from '../../../console/deployed/deployment.ts';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { onStop } from '../../../shared/command/stopOnSignals.ts';
import { userPath } from '../../../shared/command/userPath.ts';
import { throughProxy } from '../../../shared/runtime/throughProxy.ts';
import { type FlagStore, openStore } from '../../../shared/store/store.ts';
import { describeStoreError } from '../../../shared/store/table/describeStoreError.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { runSuite } from '../conformance/runSuite.ts';
import { Workspace } from '../conformance/workspace.ts';
import { CannotVerify, REMOTE_TARGET, type RemoteTarget, readUrls } from './access.ts';
import { awsObservations } from './awsObservations.ts';
import { failoverDrills, findDoor, requireHostTier } from './failoverDrill.ts';
import { LONG_OBSERVATIONS, OBSERVATIONS } from './observations.ts';
import { formatReport, isGood, type Observation, observe, type Verification } from './report.ts';
import { readPerson, signInObservations } from './signIn.ts';

interface Options {
  readonly name: string;
  readonly table?: string;
  readonly long?: boolean;
  readonly failover?: boolean;
  readonly person?: string;
  readonly report?: string;
}

const program = npmCommand(
  'verify',
  'Runs the conformance suite against a deployment on AWS, and measures its behavior.',
)
  .argument('<stage>', 'stage, such as dev; or the wss:// URL of the deployment (stack output StreamingUri)')
  .argument('[http-url]', 'https:// URL of the deployment (stack output PollingUri), after the wss:// URL')
  .option('--name <name>', 'name of the deployment of a stage', 'Flagwire')
  .addOption(
    new Option(
      '--table <name>',
      'flags table of the deployment. The suite creates its own environments in it, and deletes them afterwards',
    ).env('FLAGS_TABLE'),
  )
  .option('--long', 'also test how API Gateway closes connections, which takes up to two hours')
  .option(
    '--failover',
    'also take the host behind the front door of a stage away, three times for a minute, and time handshakes. This disturbs the stage',
  )
  .option(
    '--person <name>',
    'also sign in to the console of a stage, as a person of its OpenID provider who needs no MFA. FLAGWIRE_TEST_PASSWORD is the password. This starts Chromium (CHROMIUM is its path)',
  )
  .option('--report <file>', 'Markdown file for the report', userPath)
  .addHelpText(
    'after',
    '\nWith a stage, the command reads the URLs and the table from the stacks. It also reads alarms and metrics, and runs df on EC2 hosts.' +
      '\nThe command uses the AWS SDK’s variables for credentials and region, such as AWS_REGION and AWS_PROFILE.' +
      '\n\nExit code: 0 if all checks passed, 1 if a check failed, 2 if the deployment could not be tested.',
  );

try {
  const [stage = '', http = ''] = program.parse().args;
  process.exitCode = await main(stage, http, program.opts<Options>());
} catch (error) {
  console.error(`verify: ${describeStoreError(error)}`);
  process.exitCode = 2;
}

async function main(stage: string, http: string, options: Options): Promise<number> {
  const isStage = !stage.includes(':') && http === '';
  const { streamingUrl, httpUrl, flags, observations } = isStage
    ? await openStage(stage, options)
    : { streamingUrl: stage, httpUrl: http, flags: options.table, observations: [] };
  if ((options.failover || options.person) && !isStage)
    throw new CannotVerify('--failover and --person need the name of a stage');
  const urls = readUrls(streamingUrl, httpUrl);
  if (!flags) throw new CannotVerify('name the flags table (--table, or FLAGS_TABLE)');
  const environments = `verify-${randomUUID()}`;
  const tables = { flags };
  const store = openStore({ client: createDynamoDb(), ...tables });
  // An interrupted run removes its environments too.
  onStop(() => void removeAll(store, environments).finally(() => process.exit(130)));
  try {
    const workspace = await Workspace.create({ ...urls, store, tables, environments });
    const access = { ...urls, clientKey: workspace.clientKey };
    const findings = await observe([...OBSERVATIONS, ...observations], access, workspace, note);
    const long = options.long
      ? await Promise.all(LONG_OBSERVATIONS.map((each) => observe([each], access, workspace, note)))
      : [];
    note('the conformance suite');
    const target: RemoteTarget = { ...urls, flagsTable: flags, environments };
    const variables = { [REMOTE_TARGET]: JSON.stringify(target) };
    const suite = await runSuite('dev/verify/deployment/remote.suite.ts', variables);
    const at = new Date().toISOString();
    return conclude({ ...urls, at, findings: [...findings, ...long.flat()], suite }, options);
  } finally {
    await removeAll(store, environments);
    store.close();
  }
}

/** URLs and tables of a stage's stacks, and observations of them in AWS. */
async function openStage(stage: string, { name, failover, person }: Options) {
  const client = { requestHandler: throughProxy() };
  const [cloudFormation, cloudWatch, systemsManager] = [
    new CloudFormationClient(client),
    new CloudWatchClient(client),
    new SSMClient(client),
  ];
  const describe = async (StackName: string) =>
    (await cloudFormation.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0];
  const deployment = `${name}-${stage}`;
  const { flags, streamingUrl = '', httpUrl = '', consoleUrl } = await findDeployment({ deployment }, describe);
  const tester = readPerson(person, consoleUrl);
  const region = await cloudWatch.config.region();
  const account = { name, stage, region, cloudFormation, cloudWatch, systemsManager };
  const door = async () => {
    const { Outputs = [] } = (await describe(`${deployment}-Host`)) ?? {};
    const url = await findDoor(account, Outputs.find(({ OutputKey }) => OutputKey === 'StreamingUri')?.OutputValue);
    await requireHostTier(openStore({ client: createDynamoDb(), flags }));
    return url;
  };
  const observations: readonly Observation[] = [
    ...awsObservations(account),
    ...(consoleUrl ? signInObservations(consoleUrl, tester) : []),
    ...(failover ? failoverDrills(account, door) : []),
  ];
  return { streamingUrl, httpUrl, flags, observations };
}

function conclude(verification: Verification, { report }: Options): number {
  const text = formatReport(verification);
  console.log(text);
  if (report) writeFileSync(report, text);
  return isGood(verification) ? 0 : 1;
}

async function removeAll({ environments }: FlagStore, prefix: string): Promise<void> {
  for (const { id, name } of await environments.list()) {
    if (name.startsWith(prefix)) await environments.remove(await environments.find(id));
  }
}

function note(text: string): void {
  process.stderr.write(`… ${text}\n`);
}
