import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Template } from '../../infra/inProcess.ts';
import { repositoryRoot } from '../../infra/repository.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { openStore } from '../../shared/store/store.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { setTimeouts } from '../../shared/testing/until.ts';
import { type LocalStack, startLocal } from '../emulator/emulator.ts';
import { cleanEnvironment, RunningProcess } from '../support/runningProcess.ts';
import { INSTALL_MS, UserFolder } from './testing/userFolder.ts';

const { devDependencies } = packageJson;
const { resolve } = createRequire(import.meta.url);
const cdk = join(dirname(resolve('aws-cdk/package.json')), 'bin', 'cdk');

/** The example for Lambda in docs/sdks.md. */
const page = readFileSync(join(repositoryRoot, 'docs', 'sdks.md'), 'utf8');
const [, HANDLER = ''] = /\n## Lambda\n.*?```js\n(.*?)```/s.exec(page) ?? [];

const APP = `
import { App, Stack } from 'aws-cdk-lib';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Flagwire } from 'flagwire-cdk';

const stack = new Stack(new App(), 'Shop');
const flags = new Flagwire(stack, 'Flags', { environments: ['production', 'staging'] });
const checkout = new NodejsFunction(stack, 'Checkout', {
  entry: 'handler.mjs',
  runtime: Runtime.NODEJS_22_X,
  bundling: { format: OutputFormat.ESM },
});
flags.addTo(checkout, 'production');
`;

/** Calls the function again and again. */
const CALLS = `
const { handler } = await import(process.argv[2]);
setInterval(async () => console.log(await handler({ userId: 'u1' })), 100);
`;

interface Properties {
  readonly Code: { readonly S3Key: string };
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
  readonly Role: { readonly 'Fn::GetAtt': readonly [string, string] };
}

const user = new UserFolder();
const running: RunningProcess[] = [];
let stack: LocalStack;
let template: Template;
let checkout: Properties;
let ids: Record<string, string>;

beforeAll(async () => {
  setTimeouts({ condition: 60_000 });
  const tarball = await user.pack('flagwire-cdk');
  const named = ['aws-cdk-lib', 'constructs', 'esbuild', '@openfeature/server-sdk'];
  const versions = named.map((name) => `${name}@${(devDependencies as Record<string, string>)[name]}`);
  await user.install(tarball, tarball.replace('-cdk-', '-provider-'), ...versions);
  user.write('handler.mjs', HANDLER);
  user.write('app.mjs', APP);
  user.write('calls.mjs', CALLS);
  await user.mustRun(process.execPath, cdk, 'synth', '--quiet', '--app', `${process.execPath} app.mjs`);
  template = JSON.parse(readFileSync(join(user.path, 'cdk.out', 'Shop.template.json'), 'utf8'));
  const [, resource] = Object.entries(template.Resources).find(([id]) => /^Checkout[0-9A-F]{8}$/.test(id)) ?? [];
  checkout = resource?.Properties as unknown as Properties;
  stack = await startLocal({ templates: { Shop: template } });
  const declared = Object.values(template.Resources).find(({ Type }) => Type === 'Custom::FlagwireEnvironments');
  const names = Object.entries(declared?.Properties?.['Environments'] as Record<string, string>);
  ids = Object.fromEntries(names.map(([id, name]) => [name, id]));
}, INSTALL_MS);

afterAll(async () => {
  await Promise.all(running.map((each) => each.stop('SIGKILL')));
  await stack?.close();
  user.remove();
});

/** Starts the bundled function with its variables and an access key of its role, and nothing else. */
function start(variables: Readonly<Record<string, string>> = {}): RunningProcess {
  const [role] = checkout.Role['Fn::GetAtt'];
  const { accessKeyId, secretAccessKey } = stack.assumeRole(`Shop/${role}`);
  const { AWS_REGION } = stack.environment;
  const asset = checkout.Code.S3Key.replace(/[.]zip$/, '');
  const process_ = new RunningProcess(
    [process.execPath, join(user.path, 'calls.mjs'), join(user.path, 'cdk.out', `asset.${asset}`, 'index.mjs')],
    {
      environment: cleanEnvironment({
        FLAGS_TABLE: stack.tables.flags,
        FLAGS_ENVIRONMENT: checkout.Environment.Variables['FLAGS_ENVIRONMENT'] as string,
        AWS_REGION,
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
        AWS_ENDPOINT_URL_DYNAMODB: stack.dynamoDbEndpoint,
        ...variables,
      }),
    },
  );
  running.push(process_);
  return process_;
}

test('a function of addTo has the variables of its environment and the table of the stack', () => {
  const { FLAGS_TABLE, FLAGS_ENVIRONMENT } = checkout.Environment.Variables;
  expect(FLAGS_ENVIRONMENT).toBe(ids['production']);
  const { Ref: table = '' } = FLAGS_TABLE as { Ref?: string };
  expect(template.Resources[table]?.Type).toBe('AWS::DynamoDB::GlobalTable');
  expect(stack.tables.flags).toBe(`Shop-${table}`);
});

test(
  'the bundled function evaluates flags and sees a change, with its own role and nothing else',
  async () => {
    const { environments, documents } = openStore({ client: createDynamoDb(), flags: stack.tables.flags });
    for (const [name, id] of Object.entries(ids)) {
      await environments.create(name, id, []);
      await documents.writeFlag(id, 'new-checkout', () => aFlag({ key: 'new-checkout' }));
    }
    const application = start();
    await application.printed('new checkout\n');
    await documents.writeFlag(ids['production'] ?? '', 'new-checkout', (flag) => ({
      ...(flag ?? aFlag()),
      isEnabled: false,
    }));
    await application.printed('old checkout\n');
    expect(application.output).not.toMatch(/denied|not authorized|error/i);
  },
  INSTALL_MS,
);

test(
  'its role may not read another environment',
  async () => {
    const application = start({ FLAGS_ENVIRONMENT: ids['staging'] ?? '' });
    await application.printed('old checkout\n');
    expect(application.output).toMatch(/not authorized to perform: dynamodb:/);
    expect(application.output).not.toContain('new checkout');
  },
  INSTALL_MS,
);
