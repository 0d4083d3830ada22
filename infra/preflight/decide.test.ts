import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import { settingsMetadata } from '../config/recordedSettings.ts';
import { StageFile } from '../config/stageFile.ts';
import { settingsForApp } from './decide.ts';
import { PLAYED_IDENTITY, type PlayedAccount, playAccount, settingsOf } from './testing/playedAccount.ts';

const before = process.env;
const QUOTAS = { 'L-8A5B8E43': 700, 'L-CDF5615A': 500 };
let directory: string;
let account: PlayedAccount;
let said: string[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-decide-'));
  said = [];
  const deployed = readConfig({ stage: 'dev', host: { availabilityZone: 'us-west-2c' } });
  account = await playAccount({
    settings: settingsOf(10),
    quotas: QUOTAS,
    zones: { 't2.micro': ['us-west-2b', 'us-west-2c'] },
    metadata: JSON.stringify(settingsMetadata({ host: true }, deployed)),
  });
  process.env = { ...before, AWS_EC2_METADATA_DISABLED: 'true', ...account.env };
});
afterEach(async () => {
  process.env = before;
  await account.close();
  rmSync(directory, { recursive: true });
});

function decide(cdk: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> {
  writeFileSync(join(directory, 'flagwire.dev.json'), JSON.stringify({ host: true }));
  const say = (line: string) => void said.push(line);
  return settingsForApp(new StageFile('dev', directory), { ...process.env, ...cdk }, say);
}

describe('the app of cdk', () => {
  const cdk = { CDK_DEFAULT_ACCOUNT: PLAYED_IDENTITY.account, CDK_DEFAULT_REGION: 'us-west-2' };

  test('reads the settings of the account, as npm run deploy does, and keeps the zone of the deployment', async () => {
    expect(await decide(cdk)).toEqual({
      throttlingRate: 700,
      throttlingBurst: 500,
      'host.availabilityZone': 'us-west-2c',
    });
    expect(said).toContain("throttlingRate=700, the account's value in us-west-2.");
  });

  test('keeps the zone of the deployment if EC2 does not answer', async () => {
    process.env['AWS_ENDPOINT_URL_EC2'] = 'http://127.0.0.1:1';
    expect(await decide(cdk)).toMatchObject({ 'host.availabilityZone': 'us-west-2c' });
    expect(said.at(-1)).toMatch(/^Cannot read /);
  });

  test('takes the settings that npm run deploy passes, and reads nothing', async () => {
    const passed = { ...cdk, FLAGWIRE_DECIDED_SETTINGS: '{"throttlingRate":7}' };
    expect(await decide(passed)).toEqual({ throttlingRate: 7 });
    expect(account.asked).toEqual([]);
  });

  test('has defaults without credentials, and says so', async () => {
    expect(await decide({})).toEqual({});
    expect(said).toEqual(['No AWS credentials or region: settings that depend on the account have their defaults.']);
  });

  test('refuses credentials of another account than those of cdk, and names the way out', async () => {
    await expect(decide({ ...cdk, CDK_DEFAULT_ACCOUNT: '210987654321' })).rejects.toThrow(
      /of account 210987654321: They are of account 123456789012\. Set AWS_PROFILE instead of --profile\.$/,
    );
  });
});
