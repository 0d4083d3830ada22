import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { useFakeApi } from '../shared/testing/fakeApi.ts';
import { credentialsFrom } from './credentials.ts';
import { type ManualClock, manualClock } from './testing/clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'flagwire-credentials-'));
const tokenFile = join(folder, 'token');
afterAll(() => rmSync(folder, { recursive: true }));

let clock: ManualClock;
let tokens: unknown[] = [];
let isAway = false;

const api = useFakeApi(({ headers }, response: ServerResponse) => {
  tokens.push(headers.authorization);
  const Expiration = new Date(clock.now() + 3_600_000).toISOString();
  const lease = { AccessKeyId: `A${tokens.length}`, SecretAccessKey: 's', Token: 't', Expiration };
  response.writeHead(isAway ? 500 : 200).end(JSON.stringify(lease));
});

beforeEach(() => {
  [clock, tokens, isAway] = [manualClock(), [], false];
});

test('variables are read for each request', async () => {
  const env: NodeJS.ProcessEnv = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's' };
  const keys = credentialsFrom(env, clock);
  expect(await keys()).toEqual({ accessKeyId: 'A', secretAccessKey: 's', sessionToken: undefined });
  env['AWS_SESSION_TOKEN'] = 't';
  expect(await keys()).toMatchObject({ sessionToken: 't' });
});

describe('the endpoint of a container', () => {
  const open = () => {
    writeFileSync(tokenFile, 'one\n');
    const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: api.endpoint, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile };
    return credentialsFrom(env, clock);
  };

  test('is asked once for its keys, by all requests, with the token of its file', async () => {
    const keys = open();
    const [one, other] = await Promise.all([keys(), keys()]);
    expect([one, other.accessKeyId, tokens]).toEqual([
      { accessKeyId: 'A1', secretAccessKey: 's', sessionToken: 't' },
      'A1',
      ['one'],
    ]);
  });

  test('is asked again 5 minutes before they end, with the new token', async () => {
    const keys = open();
    await keys();
    await clock.pass(54 * 60_000);
    expect((await keys()).accessKeyId).toBe('A1');
    writeFileSync(tokenFile, 'two');
    await clock.pass(60_000);
    expect([(await keys()).accessKeyId, tokens]).toEqual(['A2', ['one', 'two']]);
  });

  test('leaves the old keys in use until they end, and is asked every 10 seconds', async () => {
    const keys = open();
    await keys();
    await clock.pass(56 * 60_000);
    isAway = true;
    for (let n = 0; n < 11; n += 1) {
      expect((await keys()).accessKeyId).toBe('A1');
      await clock.pass(1_000);
    }
    expect(tokens).toHaveLength(3);
    await clock.pass(4 * 60_000);
    await expect(keys()).rejects.toThrow('answered with status 500');
    isAway = false;
    expect((await keys()).accessKeyId).toBe('A5');
  });
});

test.each([
  [{ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.24/keys' }],
  [{ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://127.0.0.1.example/keys' }],
  [{ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'keys' }],
  [{ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '.example/keys' }],
])('a token is not sent in plain text to another machine with %j', async (env) => {
  await expect(credentialsFrom(env, clock)()).rejects.toThrow(Object.keys(env)[0]);
});

test('an AWS SDK without an answer is given up after 5 seconds', async () => {
  const silent = 'data:text/javascript,export const defaultProvider = () => () => new Promise(() => {})';
  const keys = credentialsFrom({}, clock, silent)();
  void keys.catch(() => {});
  await clock.pass(5_000);
  await expect(keys).rejects.toThrow('gave no credentials within 5 seconds');
});

test('without variables and endpoint, the AWS SDK is asked', async () => {
  const profile = join(folder, 'credentials');
  writeFileSync(profile, '[default]\naws_access_key_id = P\naws_secret_access_key = s\n');
  const before = process.env['AWS_SHARED_CREDENTIALS_FILE'];
  const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE'] as const;
  const removed = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) delete process.env[name];
  process.env['AWS_SHARED_CREDENTIALS_FILE'] = profile;
  try {
    expect(await credentialsFrom({}, clock)()).toMatchObject({ accessKeyId: 'P' });
  } finally {
    for (const [name, value] of [...removed, ['AWS_SHARED_CREDENTIALS_FILE', before] as const])
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
});

test('without the AWS SDK, the error says what to set or install', async () => {
  await expect(credentialsFrom({}, clock, '@aws-sdk/not-installed')()).rejects.toThrow(
    'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or install @aws-sdk/not-installed',
  );
});
