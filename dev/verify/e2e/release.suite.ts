import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { repositoryRoot } from '../../../infra/repository.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { setTimeouts } from '../../../shared/testing/until.ts';
import { INSTALL_MS } from '../../pack/testing/userFolder.ts';
import { ofRepository, RunningProcess } from '../../support/runningProcess.ts';
import { pythonEnvironment } from '../../support/tools/python.ts';
import { NodeSdk } from '../conformance/clients/nodeSdk.ts';
import { type Emulator, progress, startEmulator } from './emulator.ts';
import { makeReplies } from './replies.ts';
import { openTarget } from './target.ts';
import { type EmulatorTemplate, forEmulator } from './transform.ts';

jest.setTimeout(180_000);
// The emulator calls one function at a time: a change's sixteen deliveries follow one another, and wait for those before.
setTimeouts({ message: 60_000, condition: 60_000 });

const BUCKET = 'release-assets';
const report = progress();
const awsCli = { name: 'awscli', requirements: join(import.meta.dirname, 'awscli.requirements.txt') };

let commands: string;
let emulator: Emulator;
let release: EmulatorTemplate;
/** The unpacked npm package. */
let home: string;

beforeAll(async () => {
  commands = await pythonEnvironment(awsCli, report);
  emulator = await startEmulator(report);
  Object.assign(process.env, emulator.environment);
  await run([...ofRepository('dev/pack/main.ts', ['--out', emulator.directory])]);
  home = join(emulator.directory, 'flagwire');
  const files = [join(home, 'prebuilt/release/template.json'), inDirectory('template.json')];
  for (const file of files) {
    release = forEmulator(JSON.parse(readFileSync(file, 'utf8')));
    writeFileSync(file, JSON.stringify(release.template));
  }
}, INSTALL_MS);
afterAll(() => emulator?.stop());

function inDirectory(name: string): string {
  return join(emulator.directory, `flagwire-${packageJson.version}-${name}`);
}

/** Runs a program in the emulator's directory. @returns what it printed */
async function run(command: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<string> {
  const { environment, directory } = emulator;
  const PATH = [commands, process.env['PATH']].join(delimiter);
  const options = { cwd: directory, environment: { ...environment, PATH, HOME: directory, ...variables } };
  const program = new RunningProcess(command as [string, ...string[]], options);
  const code = await program.ended;
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${program.output}`);
  return program.output;
}

const flagwire = (args: readonly string[], variables?: NodeJS.ProcessEnv) =>
  run([process.execPath, join(home, 'lib/flagwire.js'), ...args], variables);

/** The outputs of a stack, after what the template had to lose is made. */
async function finish(stackName: string): Promise<Record<string, string>> {
  await makeReplies(emulator, stackName, release);
  const { Stacks: [stack] = [] } = await new CloudFormationClient(emulator.clientConfig).send(
    new DescribeStacksCommand({ StackName: stackName }),
  );
  return Object.fromEntries(
    stack?.Outputs?.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]) ?? [],
  );
}

/** Creates an environment and a flag as the output says, and changes the flag while the Node SDK is connected. */
async function useService(stackName: string, outputs: Record<string, string>): Promise<void> {
  const table = { FLAGS_TABLE: outputs['FlagsTableName'] };
  const [, create = ''] = /npx flagwire (.*)$/.exec(outputs['FlagsCli'] ?? '') ?? [];
  const { secrets } = JSON.parse(await flagwire([...create.split(' '), '--json'], table));
  const { value: serverKey } = secrets.find(({ type }: { readonly type: string }) => type === 'server');
  await flagwire(['flags', 'create', 'released', '--yes'], table);
  const target = await openTarget({ emulator, outputs, stacks: { [stackName]: release } }, createDynamoDb());
  const sdk = await NodeSdk.start({ target, serverKey });
  await sdk.becomes('released', 'false');
  await flagwire(['flags', 'toggle', 'released', '--yes'], table);
  await sdk.becomes('released', 'true');
  expect(sdk.updates).toContain('released');
  await sdk.close();
  target.store.close();
}

test('the documented commands of the AWS CLI deploy the template, and an SDK sees a change', async () => {
  await new S3Client({ ...emulator.clientConfig, forcePathStyle: true }).send(
    new CreateBucketCommand({ Bucket: BUCKET }),
  );
  const page = readFileSync(join(repositoryRoot, 'docs/packages.md'), 'utf8');
  const [, block = ''] = /```sh\n(unzip .*?)```/s.exec(page) ?? [];
  const script = block.replaceAll('<version>', packageJson.version).replaceAll('<bucket>', BUCKET);
  expect(await run(['bash', '-ec', script])).toContain('Successfully created/updated stack - flagwire');
  await useService('flagwire', await finish('flagwire'));
});

test('npx flagwire deploy deploys the template, uploads each file once, and finds nothing to change afterwards', async () => {
  const command = ['deploy', '--stack', 'by-deploy', '--yes', '--no-input'];
  const deployed = await flagwire(command);
  expect(deployed).toMatch(
    /Creates the bucket flagwire-assets-000000000000-us-east-1[.]\n( {2}uploaded .*\n)+Changes of stack/,
  );
  expect(deployed).toMatch(/ add +\d+ AWS::Lambda::Function\n/);
  await useService('by-deploy', await finish('by-deploy'));
  const again = await flagwire(command);
  expect(again).toContain('Stack by-deploy has this release already.\nStreamingUri ');
  expect(again).not.toContain('uploaded');
});
