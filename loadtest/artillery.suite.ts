import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { installManifest } from '../dev/support/installed.ts';
import { flip } from './runner/flips.ts';
import { openHost, openLocal, type Target } from './runner/target.ts';

// The first run installs artillery.
jest.setTimeout(300_000);

const ARTILLERY = join(import.meta.dirname, 'artillery', 'node_modules', 'artillery');
const SHORT = ['--overrides', '{"config":{"phases":[{"duration":2,"arrivalRate":10}]}}'];

let directory: string;
let targets: Target[];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-artillery-'));
  await installManifest('loadtest/artillery', () => {});
  targets = await Promise.all([openLocal(), openHost(1)]);
});
afterAll(async () => {
  for (const target of targets) await target.close();
  rmSync(directory, { recursive: true });
});

interface Running {
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly during?: (kill: (signal: NodeJS.Signals) => void, output: () => string) => Promise<void>;
}

/** Runs a program; `artillery run` as its own command is started unless another is given. */
async function run(
  args: readonly string[],
  { environment = {}, cwd = import.meta.dirname, during }: Running,
  command = [process.execPath, join(ARTILLERY, 'bin', 'run')],
) {
  const [program = '', ...first] = command;
  const { FLAGWIRE_CLIENT_KEY: _, ...own } = process.env;
  const env = { ...own, ARTILLERY_DISABLE_TELEMETRY: 'true', ...environment };
  const child = spawn(program, [...first, ...args], { env, cwd });
  const output = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    output.out += text;
  });
  child.stderr.on('data', (text) => {
    output.err += text;
  });
  await during?.(
    (signal) => child.kill(signal),
    () => output.out,
  );
  const [code] = await once(child, 'close');
  return { code: code as number | null, ...output };
}

/** Runs a script against a target. @returns what artillery counted and measured */
async function runScript(
  { name, urls: [url = ''], clientKey }: Target,
  script: string,
  args: readonly string[],
  { environment, ...running }: Running = {},
  command?: string[],
) {
  const output = join(directory, `${name}-${basename(script)}.json`);
  const all = ['run', '-t', url, ...args, '-o', output, script];
  const { code, out, err } = await run(
    all,
    { environment: { FLAGWIRE_CLIENT_KEY: clientKey, ...environment }, ...running },
    command,
  );
  expect([code, err, out]).toEqual([0, '', expect.any(String)]);
  const { counters, summaries } = JSON.parse(readFileSync(output, 'utf8')).aggregate;
  expect(Object.keys(counters).filter((each) => each.startsWith('errors'))).toEqual([]);
  expect(counters['messages answered']).toBe(counters['messages sent']);
  return { counters, summaries };
}

describe('artillery run, against npm start and against a host', () => {
  test.each([
    ['data-sync.yml', { end: 4, ping: 1 }],
    ['heartbeat.yml', { end: 10, ping: 0.2, atLeast: 3, atMost: 5 }],
  ])('%s opens, answers and holds its connections', async (script, variables) => {
    const args = ['-v', JSON.stringify(variables), ...SHORT];
    for (const { counters, summaries } of await Promise.all(targets.map((target) => runScript(target, script, args)))) {
      expect(counters).toMatchObject({ 'vusers.completed': 20, 'syncs answered': 20, left: 20 });
      expect(summaries.sync.count).toBe(20);
      expect(summaries['intended to reply'].count).toBe(counters['messages answered']);
    }
  });

  test('push.yml measures changes from their write to each client', async () => {
    for (const target of targets) {
      const during: Running['during'] = async (_, output) => {
        while (!output().includes('Phase completed')) await sleep(100);
        await sleep(2_000);
        const twice = { flag: 'returns-true', count: 2, everyMs: 300 };
        await flip(target, twice, () => {}, new AbortController().signal);
      };
      const { summaries } = await runScript(target, 'push.yml', ['-v', '{"end":10}', ...SHORT], { during });
      expect(summaries.push.count).toBe(40);
    }
  });
});

test('npm run artillery takes paths from the current folder, and variables from a file', async () => {
  const dotenv = join(directory, 'keys.env');
  writeFileSync(dotenv, 'CONNECTIONS=30\n');
  const args = ['-v', '{"end":22}', '--dotenv', dotenv];
  const npm = ['npm', 'run', '--silent', 'artillery', '--'];
  const { counters } = await runScript(targets.at(-1) as Target, './data-sync.yml', args, {}, npm);
  expect(counters).toMatchObject({ 'vusers.completed': 30, 'syncs answered': 30 });
});

test('npm run artillery passes on a signal, and has the exit code of artillery', async () => {
  const during: Running['during'] = async (kill, output) => {
    while (!output().includes('Phase started')) await sleep(100);
    kill('SIGTERM');
  };
  const environment = { FLAGWIRE_CLIENT_KEY: 'k' };
  const command = [process.execPath, join(import.meta.dirname, 'artillery.ts')];
  const { code } = await run(['run', '-t', 'ws://127.0.0.1:9', 'data-sync.yml'], { environment, during }, command);
  expect(code).toBe(143);
});

test('names the variable in one line without a key, and sends nothing', async () => {
  const { code, out, err } = await run(['run', 'data-sync.yml'], {});
  expect([code, err]).toEqual([1, 'Set FLAGWIRE_CLIENT_KEY to a client-side SDK key of the target.\n']);
  expect(out).not.toContain('Phase started');
});

test('run-fargate sends each script with its processor, and installs no packages', async () => {
  const bundle = `
    globalThis.artillery = { testRunId: 't' };
    const { createBOM } = await import(${JSON.stringify(join(ARTILLERY, 'dist/lib/platform/aws-ecs/legacy/bom.js'))});
    createBOM(process.argv.at(-1), [], { flags: {} }, (error, { files, modules }) => {
      console.log(JSON.stringify([...files.map(({ noPrefix }) => noPrefix), ...modules]));
      process.exit(error ? 1 : 0);
    });`;
  const command = [process.execPath, '--input-type=module', '--eval', bundle, '--'];
  const bundled = async (name: string) => JSON.parse((await run([join(import.meta.dirname, name)], {}, command)).out);
  expect(await bundled('data-sync.yml')).toEqual(['data-sync.yml', 'processor.mjs']);
  expect(await bundled('heartbeat.yml')).toEqual(['heartbeat.yml', 'processor.mjs', 'scenarios/stations.csv']);
});
