import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { environmentOf, startTestTables, type TestTables } from '../../../shared/store/testing/testTables.ts';
import { Progress } from '../../runner/progress.ts';
import { SimulatedAccount } from '../../testing/simulatedAccount.ts';
import { comparisonPolicy } from './accessPolicy.ts';
import { type AwsDeps, type AwsOptions, compareInAws } from './compareAws.ts';

const USUAL = { 'L-8A5B8E43': 10_000, 'L-CDF5615A': 5_000, 'L-9ED1E49A': 500, 'L-B99A9384': 1_000 };
const DEPLOYMENT = 'Flagwire-compare';
const before = { ...process.env };

let tables: TestTables;
let flagsTable: string;
let account: SimulatedAccount;
let directory: string;
let said: string[];

beforeAll(async () => {
  tables = await startTestTables();
  const store = tables.open(systemEffects);
  flagsTable = store.tables.flags;
  Object.assign(process.env, await environmentOf(store.tables.client));
});
afterAll(async () => {
  process.env = before;
  await tables.close();
});
beforeEach(async () => {
  account = new SimulatedAccount(USUAL);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: await account.start(),
    AWS_REGION: 'us-east-1',
    // What is dead stays dead.
    AWS_MAX_ATTEMPTS: '1',
  });
  directory = mkdtempSync(join(tmpdir(), 'flagwire-compare-'));
  said = [];
  jest.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(async () => {
  jest.restoreAllMocks();
  await account.close();
  rmSync(directory, { recursive: true });
});

/** Deploys as the CDK does: one stack after another, each seen while it is being made. */
async function deploy(): Promise<void> {
  const streaming = { StreamingUri: 'ws://127.0.0.1:1' };
  const stacks = {
    Data: { FlagsTableName: flagsTable },
    Serverless: streaming,
    Host: { ...streaming, HostId: 'i-1', LoadGeneratorId: 'i-2', LoadBucketName: 'flagwire-compare-host-bucket' },
    Fargate: { ...streaming, EcsService: 'cluster/service' },
    Cost: {},
  };
  for (const [name, outputs] of Object.entries(stacks)) {
    account.create(`${DEPLOYMENT}-${name}`, outputs, 'CREATE_IN_PROGRESS');
    account.create(`${DEPLOYMENT}-${name}`, outputs);
  }
}

const options = (more: Partial<AwsOptions> = {}): AwsOptions => ({
  target: ['fargate'],
  stage: 'compare',
  quick: true,
  rates: [10],
  yes: true,
  out: join(directory, 'out'),
  ...more,
});

function compare(more: Partial<AwsOptions> = {}, deps: Partial<AwsDeps> = {}, signal = new AbortController().signal) {
  const progress = new Progress({ write: (line: string) => said.push(line) } as never);
  const prompt = { isTerminal: false, ask: async () => '' };
  return compareInAws(options(more), { progress, prompt, deploy, pollMs: 1, ...deps }, signal);
}

test('deploys, measures from the load generator, writes the comparison, and cleans up', async () => {
  expect(await compare()).toBe(0);
  const report = JSON.parse(readFileSync(join(directory, 'out', 'comparison.json'), 'utf8'));
  const [times] = report.tables;
  const p99 = times.rows.find(({ name }: { name: string }) => name === 'P99');
  expect(p99.cells.fargate).toEqual({ value: expect.closeTo(5, 1), source: 'AWS' });
  expect(account.left()).toEqual([]);
  expect(existsSync(join(directory, 'out', 'aws.json'))).toBe(false);
  expect(said.join('')).toContain('all stacks are removed');
});

test('calls nothing that its policy does not allow', async () => {
  await compare({ target: ['fargate', 'serverless'] });
  const allowed = comparisonPolicy(DEPLOYMENT, 'compare').Statement.flatMap(({ Action }) => Action);
  // Asking who one is takes no permission; the deployment has roles of its own.
  expect(account.calls).toContain('cloudwatch:GetMetricData');
  const made = new Set(account.calls.filter((call) => !/^(sts:|cloudformation:CreateStack)/.test(call)));
  expect([...made].filter((call) => !allowed.includes(call))).toEqual([]);
});

/** Every so many calls it is killed at one: others with each seed, all with `FC_EVERY=1`. */
const STEP = Number(process.env['FC_EVERY'] ?? 8);
const FIRST = 1 + (Number(process.env['FC_SEED'] ?? 0) % STEP);

test('leaves nothing after --teardown, regardless of the call at which it was killed', async () => {
  await compare();
  const calls = account.calls.length;
  expect(calls).toBeGreaterThan(30);
  for (let n = FIRST; n <= calls; n += STEP) {
    const out = join(directory, `killed-${n}`);
    account.calls.length = 0;
    account.diesAt = n;
    expect([n, await compare({ out }).catch(() => 'refused')]).not.toEqual([n, 0]);
    account.diesAt = Number.POSITIVE_INFINITY;
    const hasLedger = existsSync(join(out, 'aws.json'));
    if (!hasLedger) expect(account.left()).toEqual([]);
    else expect([n, await compare({ out, teardown: true })]).toEqual([n, 0]);
    expect([n, account.left()]).toEqual([n, []]);
  }
}, 300_000);

test('removes the stage after Ctrl-C', async () => {
  const controller = new AbortController();
  const code = await compare({}, { deploy: async () => deploy().then(() => controller.abort()) }, controller.signal);
  expect([code, account.left()]).toEqual([3, []]);
});

test('removes a failed deployment, also during a stack update, and exits with 5', async () => {
  const failing = async () => {
    await deploy();
    account.create(`${DEPLOYMENT}-Host`, {}, 'UPDATE_IN_PROGRESS');
    account.whenAsked(`${DEPLOYMENT}-Host`, 3, 'UPDATE_COMPLETE');
    throw new Error('npm run deploy -- compare ended with 1');
  };
  expect(await compare({}, { deploy: failing })).toBe(5);
  expect(said.join('')).toContain('npm run deploy -- compare ended with 1');
  expect(account.left()).toEqual([]);
});

test('names what it cannot remove, with the command to try again, and exits with 5', async () => {
  account.staying.add(`${DEPLOYMENT}-Data`);
  expect(await compare()).toBe(5);
  expect(account.left()).toEqual([`${DEPLOYMENT}-Data`]);
  const text = said.join('');
  expect(text).toContain(`LEFT: stack ${DEPLOYMENT}-Data`);
  const out = join(directory, 'out');
  expect(text).toContain(`npm run loadtest -- compare --aws --teardown --out ${out}`);
  account.staying.clear();
  expect(await compare({ teardown: true })).toBe(0);
  expect(account.left()).toEqual([]);
});

test('refuses a folder with another stage, region or order', async () => {
  account.staying.add(`${DEPLOYMENT}-Data`);
  await compare();
  await expect(compare({ resume: true, stage: 'prod' })).rejects.toThrow(`still has ${DEPLOYMENT} deployed in account`);
  account.staying.clear();
  await compare({ teardown: true });
  expect(await compare({ resume: true, quick: false, runs: 1 })).toBe(2);
  expect(said.join('')).toContain('was measured with {"form":"short"');
  expect(account.left()).toEqual([]);
});

test('deploys nothing if Ctrl-C comes before the deployment', async () => {
  expect(await compare({}, {}, AbortSignal.abort())).toBe(3);
  expect(account.calls).not.toContain('cloudformation:CreateStack');
});

test.each<[string, Partial<AwsOptions>, string]>([
  [
    'rates above a quota',
    { target: ['serverless'], rates: [500, 1_000] },
    '(L-9ED1E49A) are limited to 500 in this account',
  ],
  ['a price above the budget', { budget: 0.01 }, 'exceeds the budget of 0.01. Nothing was started'],
  ['an unconfirmed price', { yes: false }, 'add --budget <usd> or --yes'],
])('refuses %s before it deploys anything', async (_, more, why) => {
  await expect(compare(more)).rejects.toThrow(why);
  expect(existsSync(join(directory, 'out'))).toBe(false);
  expect(account.calls).not.toContain('cloudformation:CreateStack');
});

test('neither deploys nor removes an existing stage', async () => {
  account.create(`${DEPLOYMENT}-Data`);
  await expect(compare()).rejects.toThrow('Flagwire-compare-Data already exists');
  expect(account.left()).toEqual([`${DEPLOYMENT}-Data`]);
});
