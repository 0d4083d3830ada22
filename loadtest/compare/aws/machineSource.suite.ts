import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { installManifest } from '../../../dev/support/installed.ts';
import { fetchEnvironment } from '../../runner/preflight.ts';
import { Progress } from '../../runner/progress.ts';
import { makeRun } from '../../runner/run.ts';
import { openHost, type Target } from '../../runner/target.ts';
import { aLoadProfile } from '../../testing/results.ts';
import type { GeneratorAccess } from './machineCommands.ts';
import { generatorMachine, prepareMachine } from './machineSource.ts';

/*
 * The scripts that Systems Manager runs on the load generator, by a shell of this machine, with the artillery that is installed here. `aws` and `npm`
 * are scripts: one copies between files and a folder for the bucket, the other links the packages.
 */

jest.setTimeout(180_000);

let directory: string;
let target: Target;
let access: GeneratorAccess;
const inBucket = () =>
  readdirSync(join(directory, 'bucket'), { recursive: true }).filter((name) => String(name).includes('.'));

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-machine-'));
  await installManifest('loadtest/artillery', () => {});
  for (const folder of ['jobs', 'results']) mkdirSync(join(directory, 'bucket', folder), { recursive: true });
  const artillery = join(import.meta.dirname, '..', '..', 'artillery', 'node_modules');
  program('aws', [
    'from=$4 to=$5',
    `path() { echo "$1" | sed "s#^s3://load-bucket#${join(directory, 'bucket')}#"; }`,
    'if [ "$from" = - ]; then cat > "$(path "$to")"; else cat "$(path "$from")"; fi',
  ]);
  program('npm', ['[ "$1 $2" = "ci --prefix" ]', `ln -s ${artillery} "$3/node_modules"`]);
  access = { instanceId: 'i-1', bucket: 'load-bucket', pollMs: 200, s3: aBucket() as never, ssm: aMachine() as never };
  target = await openHost(1);
});
afterAll(async () => {
  await target?.close();
  rmSync(directory, { recursive: true, force: true });
});

function program(name: string, lines: readonly string[]): void {
  mkdirSync(join(directory, 'bin'), { recursive: true });
  const path = join(directory, 'bin', name);
  writeFileSync(path, ['#!/bin/sh', 'set -eu', ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
}

/** S3 by a folder. */
function aBucket() {
  return {
    send: async (command: { input: { Key: string; Body?: Buffer } }) => {
      const { input } = command;
      const { name } = command.constructor;
      const path = join(directory, 'bucket', input.Key);
      if (name === 'PutObjectCommand') writeFileSync(path, input.Body ?? '');
      if (name === 'DeleteObjectCommand') rmSync(path, { force: true });
      if (name !== 'GetObjectCommand') return {};
      const body = readFileSync(path);
      return { Body: { transformToByteArray: async () => body } };
    },
  };
}

/** Systems Manager by a shell. */
function aMachine() {
  let state = { Status: 'InProgress', StandardErrorContent: '' };
  return {
    send: async (command: { input: { Parameters: { commands: string[] } } }) => {
      const { input } = command;
      const { name } = command.constructor;
      if (name === 'GetCommandInvocationCommand') return state;
      if (name === 'DescribeInstanceInformationCommand') return { InstanceInformationList: [{ PingStatus: 'Online' }] };
      if (name !== 'SendCommandCommand') return {};
      state = { Status: 'InProgress', StandardErrorContent: '' };
      const path = [join(directory, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
      // This machine may have fewer files than the load generator.
      const script = input.Parameters.commands.filter((line) => !line.startsWith('ulimit')).join('\n');
      const env = { PATH: path, HOME: directory, FLAGWIRE_LOAD_HOME: join(directory, 'home') };
      const child = spawn('sh', ['-c', script], { env });
      let stderr = '';
      child.stderr.on('data', (text) => {
        stderr += text;
      });
      child.on('close', (code) => {
        state = { Status: code === 0 ? 'Success' : 'Failed', StandardErrorContent: stderr };
      });
      return { Command: { CommandId: 'c' } };
    },
  };
}

test('the load generator installs artillery, runs workers, and keeps only measurements', async () => {
  const progress = new Progress({ write: () => true } as never);
  const { signal } = new AbortController();
  await prepareMachine(access, { progress, signal });
  const plan = aLoadProfile({
    phases: [{ duration: 3, arrivalRate: 40 }],
    variables: { ping: 1 },
    peak: 120,
    rampS: 3,
    durationS: 6,
  });
  const facts = { scenario: 'reference', rate: 40, number: 1, plan, workers: 2, cores: 4 };
  const run = { facts, target, environment: await fetchEnvironment(target) };
  const result = await makeRun(generatorMachine(access), run, join(directory, 'run'), { progress, signal });
  expect(result.counts).toMatchObject({ began: 120, opened: 120, 'syncs answered': 120, left: 120 });
  expect(readdirSync(join(directory, 'run', 'slices'))).toHaveLength(2);
  expect(inBucket()).toEqual([]);
  expect(readdirSync(join(directory, 'home'))).toEqual(['artillery']);
});

test('puts the output of a failed worker into the error', async () => {
  const progress = new Progress({ write: () => true } as never);
  const plan = aLoadProfile({ phases: [{ duration: 1, arrivalRate: 'many' as never }] });
  const facts = { scenario: 'reference', rate: 1, number: 1, plan, workers: 1, cores: 1 };
  const run = { facts, target, environment: undefined };
  const { signal } = new AbortController();
  const making = makeRun(generatorMachine(access), run, join(directory, 'broken'), { progress, signal });
  await expect(making).rejects.toThrow(/the load generator ended with Failed: .+/s);
  expect(inBucket()).toEqual([]);
  expect(existsSync(join(directory, 'home', 'artillery'))).toBe(true);
});
