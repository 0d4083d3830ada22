import { readdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { repositoryRoot } from '../../../infra/repository.ts';
import { environment, INSTALL_MS, OLDEST_NODE, UserFolder } from '../../pack/testing/userFolder.ts';
import { RunningProcess } from '../../support/runningProcess.ts';

/** A Node 22 that runs no TypeScript without an option. */
const NODE_22 = '22.12.0';
const COMMAND_MS = 120_000;
const STACKS = ['Flagwire-dev-Data', 'Flagwire-dev-Serverless', 'Flagwire-dev-Cost'];

const globalCdk = ['node', join(dirname(createRequire(import.meta.url).resolve('aws-cdk/package.json')), 'bin', 'cdk')];
const localCdk = ['npx', 'cdk'];
const oldest = new UserFolder();
const home = oldest.path;
const users: Readonly<Record<string, UserFolder>> = { [OLDEST_NODE]: oldest, [NODE_22]: new UserFolder() };

/** What AWS was asked for. */
let asked: string[] = [];
const account = '<Arn>arn:aws:iam::111111111111:user/stub</Arn><UserId>stub</UserId><Account>111111111111</Account>';

/** Answers what comes before CloudFormation: the account is known and bootstrapped, and has all assets. Refuses the rest. */
async function answer(request: IncomingMessage): Promise<[status: number, body: string]> {
  const [, service = ''] = /\/(\w+)\/aws4_request/.exec(request.headers.authorization ?? '') ?? [];
  const body = await text(request);
  const [, action] = /Action=(\w+)/.exec(body) ?? [];
  asked.push(`${service} ${action ?? ''}`);
  const key = new URL(request.url ?? '', 'http://stub').searchParams.get('prefix');
  if (service === 's3') return [200, `<ListBucketResult><Contents><Key>${key}</Key></Contents></ListBucketResult>`];
  if (service === 'ssm') return [200, '{"Parameter":{"Value":"30"}}'];
  if (action === 'GetCallerIdentity')
    return [200, `<Response><GetCallerIdentityResult>${account}</GetCallerIdentityResult></Response>`];
  return [403, '<ErrorResponse><Error><Code>AccessDenied</Code><Message>refused</Message></Error></ErrorResponse>'];
}

const stub = createServer((request, response) => {
  answer(request).then(
    ([status, body]) => response.writeHead(status).end(body),
    () => response.destroy(),
  );
}).listen(0, '127.0.0.1');

beforeAll(async () => {
  for (const [version, user] of Object.entries(users)) await user.install(`node@${version}`);
}, INSTALL_MS);

afterAll(() => {
  stub.close();
  for (const user of Object.values(users)) user.remove();
});

/** Runs cdk in the repository, with a Node of the user's, and nothing in the environment that the user has not. */
async function run(
  cdk: readonly string[],
  version: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
) {
  const node = users[version] ? join(users[version].path, 'node_modules/.bin') : dirname(process.execPath);
  const [program = '', ...before] = cdk;
  const command = new RunningProcess([program, ...before, ...args, '--output', join(home, 'cdk.out'), '--no-notices'], {
    cwd: repositoryRoot,
    environment: {
      ...environment,
      HOME: home,
      PATH: `${node}:/usr/local/bin:/usr/bin:/bin`,
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      ...variables,
    },
    timeoutMs: COMMAND_MS,
  });
  return { code: await command.ended, output: command.output };
}

test.each([
  ['a global', globalCdk, OLDEST_NODE],
  ['a local', localCdk, OLDEST_NODE],
  ['a global', globalCdk, NODE_22],
  ['a global', globalCdk, process.version.slice(1)],
])(
  '%s cdk lists the stacks on another Node, without credentials',
  async (_, cdk, version) => {
    const { code, output } = await run(cdk, version, ['ls']);
    expect(output.split('\n')).toEqual(expect.arrayContaining(STACKS));
    expect(code).toBe(0);
  },
  COMMAND_MS,
);

test(
  'cdk synth writes the templates',
  async () => {
    expect(await run(globalCdk, OLDEST_NODE, ['synth', '--quiet'])).toMatchObject({ code: 0 });
    expect(readdirSync(join(home, 'cdk.out'))).toEqual(
      expect.arrayContaining(STACKS.map((stack) => `${stack}.template.json`)),
    );
  },
  COMMAND_MS,
);

test.each([[['deploy', '--all', '--require-approval', 'never']], [['destroy', '--all', '--force']]])(
  'cdk %j reaches CloudFormation',
  async (args) => {
    asked = [];
    const keys = { AWS_ACCESS_KEY_ID: 'stub', AWS_SECRET_ACCESS_KEY: 'stub' };
    const url = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`;
    const variables = { AWS_ENDPOINT_URL: url, AWS_REGION: 'eu-west-1', ...keys };
    const { output } = await run(globalCdk, OLDEST_NODE, args, variables);
    expect(asked).toContain('cloudformation DescribeStacks');
    expect(output).toContain('refused');
  },
  COMMAND_MS,
);
