import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import { settingsMetadata } from '../config/recordedSettings.ts';
import type { Settings } from '../config/settingsSchema.ts';
import { repositoryRoot } from '../repository.ts';
import { type PlayedAccount, playAccount, settingsOf } from './testing/playedAccount.ts';

jest.setTimeout(60_000);

const USUAL = { 'L-8A5B8E43': 10_000, 'L-CDF5615A': 5_000 };

let directory: string;
let workspace: string;
let account: PlayedAccount | undefined;

/** In the place of cdk: it says what it was called with, and ends as told. */
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-preflight-'));
  writeFileSync(
    join(directory, 'cdk'),
    '#!/bin/sh\necho "cdk $*"\necho "$FLAGWIRE_DECIDED_SETTINGS"\nexit "$CDK_EXIT"\n',
  );
  chmodSync(join(directory, 'cdk'), 0o755);
  mkdirSync(join(directory, '.aws'));
  writeFileSync(join(directory, '.aws/credentials'), '[p]\naws_access_key_id = p\naws_secret_access_key = p\n');
});
afterAll(() => rmSync(directory, { recursive: true }));
beforeEach(() => {
  workspace = mkdtempSync(join(directory, 'workspace-'));
});
afterEach(async () => {
  await account?.close();
  account = undefined;
});

/** Writes the settings of a stage. */
function writeSettings(stage: string, settings: Settings): void {
  writeFileSync(join(workspace, `flagwire.${stage}.json`), JSON.stringify(settings));
}

/** The settings file of a stage. */
function written(stage: string): unknown {
  return JSON.parse(readFileSync(join(workspace, `flagwire.${stage}.json`), 'utf8'));
}

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs `npm run deploy` against the account, without any other settings of AWS's. With `CDK_EXIT` it is a process, which can run
 * cdk. Without, it runs in this process: to start one for each case takes longer than all of them.
 */
function run(args: readonly string[], more: Readonly<Record<string, string>> = {}, script = 'deploy.ts') {
  const env = {
    PATH: [directory, process.env['PATH']].join(delimiter),
    HOME: directory,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    AWS_EC2_METADATA_DISABLED: 'true',
    ...account?.env,
    ...more,
  };
  return more['CDK_EXIT'] !== undefined ? runProcess(script, args, env) : runHere(script, args, env);
}

function runProcess(script: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Result> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(repositoryRoot, 'infra/preflight', script), ...args],
      { cwd: workspace, env },
      (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), stdout, stderr });
      },
    );
  });
}

/** In place of the end of this process. */
class Exit extends Error {}

let runs = 0;

async function runHere(script: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Result> {
  const before = { argv: process.argv, env: process.env };
  const directoryBefore = process.cwd();
  let [stdout, stderr] = ['', ''];
  jest.spyOn(console, 'log').mockImplementation((line) => {
    stdout += `${line}\n`;
  });
  jest.spyOn(console, 'error').mockImplementation((line) => {
    stderr += `${line}\n`;
  });
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text;
    return true;
  });
  jest.spyOn(process, 'exit').mockImplementation((code) => {
    process.exitCode = code;
    throw new Exit();
  });
  Object.assign(process, { argv: [process.execPath, script, ...args], env, exitCode: undefined });
  process.chdir(workspace);
  try {
    runs += 1;
    await import(`./${script}?${runs}`);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    jest.restoreAllMocks();
    process.chdir(directoryBefore);
  }
  const code = Number(process.exitCode ?? 0);
  Object.assign(process, before, { exitCode: undefined });
  return { code, stdout, stderr };
}

describe('npm run deploy -- --preflight', () => {
  test('reads the account, the defaults where it has no quota of its own, and gives the settings they decide', async () => {
    account = await playAccount({ settings: settingsOf(1_000), quotas: { 'L-8A5B8E43': 20_000 }, defaults: USUAL });
    const { code, stdout, stderr } = await run(['--preflight'], { AWS_REGION: 'eu-west-1' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trim().split('\n')).toEqual([
      'Flagwire-dev deploys to account 123456789012, region eu-west-1, as arn:aws:sts::123456789012:assumed-role/deploy/me.',
      expect.stringMatching(/^Cost when idle: about \$\d+\.\d\d a month at list prices of eu-west-1\.$/),
      "throttlingRate=20000, the account's value in eu-west-1.",
      "throttlingBurst=5000, the account's value in eu-west-1.",
    ]);
    expect(account.asked.map((each) => each.split(/[./]/).at(-1)).sort()).toEqual([
      'GetAWSDefaultServiceQuota',
      'GetParameter',
      'GetServiceQuota',
      'GetServiceQuota',
      'account-settings',
    ]);
  });

  test('reads the quotas of Fargate where tasks are to run there, and says what does not fit', async () => {
    account = await playAccount({
      settings: settingsOf(1_000),
      quotas: USUAL,
      defaults: { 'L-3032A538': 6 },
    });
    writeSettings('dev', { fargate: true });
    const { code, stdout } = await run(['--preflight'], { AWS_REGION: 'eu-west-1' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Fargate will not start .* up to 20 vCPUs on demand while .* quota is 6\. /m);
  });

  test('fails on what AWS would refuse, in the region that the settings name', async () => {
    account = await playAccount({ settings: settingsOf(10), quotas: USUAL, qualifiers: [] });
    writeSettings('dev', { region: 'eu-west-1' });
    const { code, stdout } = await run(['--preflight']);
    expect(code).toBe(1);
    expect(stdout).toContain('is not bootstrapped in eu-west-1');
  });

  test('fails on what the region does not have, whoever named it', async () => {
    account = await playAccount({ settings: settingsOf(1_000), quotas: USUAL });
    writeSettings('dev', { monthlyBudget: 5, alarmEmail: 'ops@example.com' });
    const { code, stderr } = await run(['--preflight'], { AWS_DEFAULT_REGION: 'eu-north-1' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^flagwire\.dev\.json: monthlyBudget=5 cannot be used in eu-north-1, .*\n$/);
  });

  test('says what it may not read, and goes on', async () => {
    const denied = { __type: 'AccessDeniedException', message: 'not authorized' };
    account = await playAccount({ settings: [403, denied], quotas: USUAL });
    const { code, stdout } = await run(['--preflight'], { AWS_REGION: 'eu-west-1' });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Cannot read Lambda's concurrent executions in eu-west-1: the credentials lack lambda:GetAccountSettings\. These limits were not checked\.$/m,
    );
    expect(stdout).toContain("throttlingRate=10000, the account's value in eu-west-1.");
  });

  test('takes the default of the region for what it may not read, and says that it does', async () => {
    account = await playAccount({ settings: settingsOf(1_000) });
    const { code, stdout } = await run(['--preflight'], { AWS_REGION: 'eu-south-2' });
    expect(code).toBe(0);
    expect(stdout).toContain('throttlingRate=2500, the default in eu-south-2.');
    expect(stdout).toContain('throttlingBurst=1250, the default in eu-south-2.');
  });

  test('refuses where no region is set, as CDK would take another one', async () => {
    const { code, stdout } = await run(['--preflight']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^No AWS region is set\. Set AWS_REGION/);
  });
});

describe('npm run deploy', () => {
  test('hands cdk the stage, what the account decides and all that it was given, and ends as cdk does', async () => {
    account = await playAccount({ settings: settingsOf(5), quotas: USUAL });
    writeSettings('prod', { throttlingBurst: 35 });
    const args = ['prod', '--require-approval', 'never', '--profile', 'p'];
    const { code, stdout, stderr } = await run(args, { AWS_REGION: 'eu-west-1', CDK_EXIT: '3' });
    expect(code).toBe(3);
    expect(stdout.trim().split('\n')).toEqual([
      'cdk deploy --all -c stage=prod --profile p --require-approval never',
      '{"throttlingRate":10000,"streamingAccessLogs":"create-role","deliverConcurrency":2}',
    ]);
    expect(stderr).toContain('More than 5 calls at once will not work');
  });

  test.each([
    ['arn:aws:iam::123456789012:role/others', 'existing-role'],
    ['arn:aws:iam::123456789012:role/Flagwire-prod-Serverless-StreamingAccessLogRole-1A2B', 'create-role'],
  ])('with the log role %s of API Gateway deploys with %s', async (logRole, setting) => {
    account = await playAccount({ settings: settingsOf(1_000), quotas: USUAL, logRole });
    const { stdout } = await run(['prod'], { AWS_REGION: 'eu-west-1', CDK_EXIT: '0' });
    expect(stdout).toContain(`"streamingAccessLogs":"${setting}"`);
  });

  test('puts machines into a zone that has their types, and keeps the zone of the current deployment', async () => {
    const zones = { 't2.micro': ['us-west-2b', 'us-west-2c'], 't3.micro': ['us-west-2a'] };
    const decided = async (metadata?: string) => {
      account = await playAccount({
        settings: settingsOf(1_000),
        quotas: USUAL,
        zones,
        ...(metadata !== undefined && { metadata }),
      });
      writeSettings('dev', { host: true });
      const { stdout, stderr } = await run([], { AWS_REGION: 'us-west-2', CDK_EXIT: '0' });
      expect(stderr).not.toContain('Cannot read');
      await account.close();
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')['host.availabilityZone'];
    };
    expect(await decided()).toBe('us-west-2b');
    const before = readConfig({ stage: 'dev', host: { availabilityZone: 'us-west-2c' } });
    expect(await decided(JSON.stringify(settingsMetadata({ host: true }, before)))).toBe('us-west-2c');
  });

  test('refuses to move a host to another zone, and names the stack to destroy first', async () => {
    const before = readConfig({ stage: 'dev', host: { availabilityZone: 'us-west-2c' } });
    account = await playAccount({
      settings: settingsOf(1_000),
      quotas: USUAL,
      zones: { 't2.micro': ['us-west-2b', 'us-west-2c'] },
      metadata: JSON.stringify(settingsMetadata({ host: true }, before)),
    });
    writeSettings('dev', { host: { availabilityZone: 'us-west-2b' } });
    const { code, stdout } = await run(['--preflight'], { AWS_REGION: 'us-west-2' });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^CloudFormation cannot move the host from us-west-2c to us-west-2b\. Destroy its stack first: npx cdk destroy Flagwire-dev-Host --exclusively -c stage=dev$/m,
    );
    writeSettings('dev', { host: { availabilityZone: 'us-west-2c' } });
    expect((await run(['--preflight'], { AWS_REGION: 'us-west-2' })).code).toBe(0);
  });

  test('refuses an instance type that the region lacks, and names one that it has', async () => {
    account = await playAccount({ settings: settingsOf(1_000), quotas: USUAL, zones: { 't3.micro': ['eu-north-1a'] } });
    const { code, stdout } = await run(['dev', '--set', 'host=true', '--preflight'], { AWS_REGION: 'eu-north-1' });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^AWS will refuse the machines in eu-north-1: t2\.micro can be in no zone\. Set another .* such as t3\.micro and c7i\.xlarge$/m,
    );
  });

  test('refuses a stage or a setting that cannot be used, and starts nothing', async () => {
    for (const args of [['Prod'], ['dev', '--set', 'lean'], ['dev', '--set', 'lean=no'], ['dev', '--set', 'x=1']]) {
      expect(await run(args)).toMatchObject({ code: 2, stdout: '' });
    }
    expect(await run(['Prod'], {}, 'destroy.ts')).toMatchObject({ code: 2, stdout: '' });
    expect((await run(['Prod'])).stderr).toMatch(/^stage=Prod cannot be used: [^\n]+\n$/);
    writeSettings('dev', { throttlingRate: -1 });
    expect(await run(['dev', '--set', 'lean=true'])).toMatchObject({ code: 1, stdout: '' });
  });

  test('in a folder below that of package.json, the outputs are written there', async () => {
    account = await playAccount({ settings: settingsOf(1_000), quotas: USUAL });
    const manifest = join(realpathSync(workspace), 'package.json');
    const npm = { INIT_CWD: directory, npm_package_name: 'flagwire', npm_package_json: manifest };
    const args = ['dev', '--outputs-file', 'a.json', '--outputs-file=b.json'];
    const { stdout } = await run(args, { AWS_REGION: 'eu-west-1', CDK_EXIT: '0', ...npm });
    const [a, b] = ['a.json', 'b.json'].map((name) => join(directory, name));
    expect(stdout).toContain(` --outputs-file ${a} --outputs-file=${b}\n`);
  });

  test('writes settings into the file of the stage before it deploys', async () => {
    account = await playAccount({ settings: settingsOf(1_000), quotas: USUAL });
    const { code } = await run(['prod', '--set', 'tracing=true', '--set', 'region=eu-west-1'], { CDK_EXIT: '0' });
    expect(code).toBe(0);
    expect(written('prod')).toEqual({ tracing: true, region: 'eu-west-1' });
  });

  test.each([
    ['--settings', 0, /^lean = true {3}\(default: false\)$/m],
    ['--print=deployer-policy', 0, /role\/cdk-hnb659fds-deploy-role/],
    ['--preflight', 1, /^No AWS region is set\. /m],
  ])('with %s sets settings for one run only, and writes no file', async (only, exitCode, output) => {
    writeSettings('prod', { alarmEmail: 'ops@example.com' });
    const { code, stdout } = await run(['prod', '--set', 'lean=true', '--set', 'alarmEmail=', only]);
    expect(code).toBe(exitCode);
    expect(stdout).toMatch(output);
    expect(stdout).not.toContain('ops@example.com');
    expect(written('prod')).toEqual({ alarmEmail: 'ops@example.com' });
  });

  test('refuses a region that it does not know, and names the nearest', async () => {
    const { code, stdout, stderr } = await run(['prod', '--set', 'region=eu-wst-1']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      '--set region=eu-wst-1: unknown region. Did you mean eu-west-1? If the region is new, write it into flagwire.prod.json.\n',
    );
    expect(existsSync(join(workspace, 'flagwire.prod.json'))).toBe(false);
  });

  test('warns of an unknown region in the file before it asks AWS, and goes on', async () => {
    account = await playAccount({ settings: settingsOf(1_000), quotas: USUAL });
    writeSettings('prod', { region: 'eu-west-9' });
    const { code, stderr } = await run(['prod'], { CDK_EXIT: '0' });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Unknown region eu-west-9\. Did you mean eu-west-1\?\n/);
  });

  test.each([
    [['--settings', '--preflight'], /cannot be used together/],
    [['dev', '--preflight', '--all'], /--preflight does not take --all/],
    [['prod', '--setings'], /^error: unknown option --setings\. Did you mean --settings\?$/m],
    [['--setings'], /^error: unknown option --setings\. Did you mean --settings\?$/m],
    [
      ['prod', '--require-aproval=never'],
      /^error: unknown option --require-aproval\. Did you mean --require-approval\?$/m,
    ],
    [['--require-approval', 'never', 'prod'], /name the stage before --require-approval/],
    [['prod', '-c', 'flagwire:lean=true'], /--set key=value writes a setting/],
  ])('refuses %s, and starts nothing', async (args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('a deployment that has settings', () => {
  const deployed = {
    domain: { name: 'flags.example.com', certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d' },
  };
  const metadata = JSON.stringify(settingsMetadata(deployed, readConfig({ stage: 'prod', ...deployed })));
  const play = () => playAccount({ settings: settingsOf(1_000), quotas: USUAL, metadata });

  test('is not deployed without them, but where that is accepted', async () => {
    account = await play();
    // A process has no terminal to ask at.
    const { code, stdout, stderr } = await run(['prod'], { AWS_REGION: 'eu-west-1', CDK_EXIT: '0' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('  domain.name: "flags.example.com" becomes unset');
    expect(stderr).toMatch(/^Nothing was deployed\. .* --accept-dropped\.$/m);
    const accepted = await run(['prod', '--accept-dropped'], { AWS_REGION: 'eu-west-1', CDK_EXIT: '0' });
    expect(accepted.stdout).toContain('cdk deploy --all');
  });

  test('is deployed with them', async () => {
    account = await play();
    writeSettings('prod', deployed);
    const { code, stderr } = await run(['prod'], { AWS_REGION: 'eu-west-1', CDK_EXIT: '0' });
    expect(code).toBe(0);
    expect(stderr).not.toContain('domain');
  });
});

test('credentials of another account than that of the settings deploy nothing', async () => {
  account = await playAccount({ settings: settingsOf(1_000), quotas: USUAL });
  writeSettings('prod', { account: '210987654321' });
  const { code, stdout, stderr } = await run(['prod'], { AWS_REGION: 'eu-west-1' });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('account=210987654321 is not the account of your credentials: arn:aws:sts::123456789012:');
});

test('an account without the bootstrap of CDK gets the command for it, and nothing is deployed', async () => {
  account = await playAccount({ settings: settingsOf(1_000), quotas: USUAL, qualifiers: ['platform'] });
  const { code, stdout, stderr } = await run(['prod', '--profile', 'p'], { AWS_REGION: 'eu-west-1' });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/: npx cdk bootstrap aws:\/\/123456789012\/eu-west-1 --profile p$/m);
  const other = await run(['prod', '--set', 'bootstrapQualifier=other'], { AWS_REGION: 'eu-west-1' });
  expect(other.stderr).toMatch(
    / is not bootstrapped in eu-west-1 with the qualifier other\. .*: npx cdk bootstrap aws:\/\/123456789012\/eu-west-1 --qualifier other --toolkit-stack-name CDKToolkit-other$/m,
  );
  const ours = await run(['prod', '--set', 'bootstrapQualifier=platform'], { AWS_REGION: 'eu-west-1', CDK_EXIT: '0' });
  expect(ours.code).toBe(0);
});

describe('npm run destroy', () => {
  test('says from where it deletes, and runs cdk for the stacks of one stage', async () => {
    account = await playAccount({ settings: settingsOf(1_000) });
    const more = { AWS_REGION: 'eu-west-1', CDK_EXIT: '3' };
    const { code, stdout, stderr } = await run(['prod', '--force', '--profile', 'p'], more, 'destroy.ts');
    expect(code).toBe(3);
    expect(stdout.trim().split('\n')).toEqual(['cdk destroy --all -c stage=prod --profile p --force', '{}']);
    expect(stderr).toMatch(/^Flagwire-prod is deleted from account 123456789012, region eu-west-1, as arn:/m);
  });

  test('names CloudFront if the deletion of a host behind it fails', async () => {
    account = await playAccount({ settings: settingsOf(1_000) });
    const tls = { domainName: 'a.example.com', certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0-1-2' };
    writeSettings('dev', { host: { network: 'public', tls } });
    const more = { AWS_REGION: 'eu-west-1' };
    expect((await run([], { ...more, CDK_EXIT: '1' }, 'destroy.ts')).stderr).toMatch(
      /^If the network was not deleted: CloudFront/m,
    );
    expect((await run([], { ...more, CDK_EXIT: '0' }, 'destroy.ts')).stderr).not.toContain('CloudFront');
    writeSettings('dev', { host: true });
    expect((await run([], { ...more, CDK_EXIT: '1' }, 'destroy.ts')).stderr).not.toContain('CloudFront');
  });

  test('refuses an option that cdk would ignore', async () => {
    const { code, stdout, stderr } = await run(['prod', '--forse'], {}, 'destroy.ts');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: unknown option --forse\. Did you mean --force\?$/m);
  });

  test('deletes nothing without a region', async () => {
    const { code, stdout, stderr } = await run(['prod'], {}, 'destroy.ts');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim()).toBe('No AWS region is set. Set AWS_REGION, or region in flagwire.prod.json.');
  });
});

test.each(['deploy.ts', 'destroy.ts'])(
  '%s without usable credentials says how to set them, and runs nothing',
  async (script) => {
    const region = { AWS_REGION: 'eu-west-1' };
    const { code, stdout, stderr } = await run([], region, script);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^there are no AWS credentials; set AWS_PROFILE, or .*\. Check them with: aws sts get-caller-identity\n$/,
    );
    const wrong = await run(['dev', '--profile', 'nope'], region, script);
    expect(wrong.stderr).toMatch(/^the AWS profile "nope" gives no credentials; /);
  },
);

test.each(['deploy.ts', 'destroy.ts'])(
  '%s without a network names the host that it did not reach, not the credentials',
  async (script) => {
    const endpoint = { AWS_ENDPOINT_URL: 'http://127.0.0.1:1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' };
    const { code, stderr } = await run([], { AWS_REGION: 'eu-west-1', ...endpoint }, script);
    expect(code).toBe(1);
    expect(stderr).toBe('127.0.0.1:1 cannot be reached (ECONNREFUSED). Check the region and the network.\n');
  },
);
