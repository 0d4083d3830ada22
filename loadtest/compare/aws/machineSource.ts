import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import {
  GetCommandInvocationCommand,
  InvocationDoesNotExist,
  SendCommandCommand,
  type SSMClient,
} from '@aws-sdk/client-ssm';
import { LOAD_FOLDERS } from '../../../infra/constructs/host/generatorMachine.ts';
import { omitUndefined } from '../../../shared/runtime/omitUndefined.ts';
import { RunFiles } from '../../results/runFiles.ts';
import { type RunResult, readRun } from '../../results/runResult.ts';
import { QUIET, writeScript } from '../../runner/artillery.ts';
import { flip } from '../../runner/flips.ts';
import { RATE_OF_ONE } from '../../runner/limits.ts';
import type { LoadSource } from '../../runner/loadSource.ts';
import type { Progress } from '../../runner/progress.ts';
import { addRemoteUsage, makeSettings, type Run } from '../../runner/run.ts';
import { splitPlan } from '../../scenarios/parts.ts';
import { SETTLE_S } from '../../scenarios/push.ts';

/** The load generator of the stack with machines, and what leads to it. */
export interface GeneratorAccess {
  readonly instanceId: string;
  readonly bucket: string;
  readonly ssm: SSMClient;
  readonly s3: S3Client;
  /** How often a run is looked at. */
  readonly pollMs: number;
}

/** Processors of the default type, c6i.xlarge. */
const CORES = 4;

/** Beyond a plan's own time: to fetch, to install artillery once, to send what was measured. */
const GRACE_S = 600;

/** Where everything is on the machine. */
const HOME = '/var/lib/flagwire-load';

const HERE = join(import.meta.dirname, '..', '..');

/**
 * The load generator in the host's network. Each run is an archive with a script and a processor for each worker, which the machine
 * fetches from its bucket; Systems Manager starts it, and the seconds that the workers measured come back the same way.
 */
export function generatorMachine(access: GeneratorAccess): LoadSource {
  return {
    isHere: false,
    cores: CORES,
    workers: (_, rate) => Math.max(1, Math.ceil(rate / RATE_OF_ONE)),
    make: (run, directory, progress, signal) => makeMachineRun(access, run, directory, progress, signal),
  };
}

/** Installs artillery on the machine. @throws Error with what it said, where that does not succeed */
export async function prepareMachine(access: GeneratorAccess, progress: Progress, signal: AbortSignal): Promise<void> {
  const { bucket: Bucket, s3 } = access;
  const job = `${LOAD_FOLDERS.jobs}${randomUUID()}.tgz`;
  await s3.send(new PutObjectCommand({ Bucket, Key: job, Body: packArtillery() }));
  try {
    const command = await startOn(access, installScript(Bucket, job), 0);
    await command.wait(progress, signal);
  } finally {
    await s3.send(new DeleteObjectCommand({ Bucket, Key: job })).catch(() => {});
  }
}

async function makeMachineRun(
  access: GeneratorAccess,
  run: Run,
  directory: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<RunResult> {
  const { facts, target } = run;
  const files = RunFiles.create(directory, { ...facts, startedAt: new Date().toISOString() });
  const id = randomUUID();
  const [job, result] = [`${LOAD_FOLDERS.jobs}${id}.tgz`, `${LOAD_FOLDERS.results}${id}.tgz`];
  const { bucket: Bucket, s3 } = access;
  const ended = new AbortController();
  try {
    await s3.send(new PutObjectCommand({ Bucket, Key: job, Body: packRun(run) }));
    const command = await startOn(access, runScript(Bucket, job, result, facts.workers), facts.plan.durationS);
    const flips = flipWhenHeld(run, files, AbortSignal.any([signal, ended.signal]));
    flips.catch(() => ended.abort());
    await command.wait(progress, AbortSignal.any([signal, ended.signal]));
    ended.abort();
    await flips;
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: result }));
    unpack(await (Body as { transformToByteArray(): Promise<Uint8Array> }).transformToByteArray(), files);
  } finally {
    ended.abort();
    await Promise.allSettled([job, result].map((Key) => s3.send(new DeleteObjectCommand({ Bucket, Key }))));
  }
  await addRemoteUsage(target, files, progress, signal);
  const stopped = signal.aborted ? 'it was interrupted' : undefined;
  files.facts = { ...files.facts, ...omitUndefined({ stopped }), endedAt: new Date().toISOString() };
  return readRun(files);
}

/** What the machine runs: a folder for each worker. */
function packRun(run: Run): Buffer {
  const { scenario, plan, workers, cores } = run.facts;
  return pack((folder) => {
    for (const [n, part] of splitPlan(plan, workers, cores).entries()) {
      mkdirSync(join(folder, `worker-${n}`));
      writeScript(join(folder, `worker-${n}`), scenario, part, makeSettings(run, part));
    }
  });
}

/** What the machine installs: artillery's manifest and lock file. */
function packArtillery(): Buffer {
  return pack((folder) => {
    mkdirSync(join(folder, 'artillery'));
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(HERE, 'artillery', name), join(folder, 'artillery', name));
  });
}

/** @param fill puts files into a folder */
function pack(fill: (folder: string) => void): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'flagwire-job-'));
  try {
    fill(folder);
    return execFileSync('tar', ['czf', '-', '-C', folder, '.'], { maxBuffer: 256 * 1024 ** 2 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts the seconds that workers measured where local workers write. */
function unpack(archive: Uint8Array, files: RunFiles): void {
  const path = join(files.directory, 'slices.tgz');
  writeFileSync(path, archive);
  execFileSync('tar', ['xzf', path, '-C', files.slices]);
  rmSync(path);
}

const PREPARE = ['set -eu', 'ulimit -n 1000000', `mkdir -p ${HOME} && cd ${HOME}`];

/** Has the machine fetch a run. */
const fetched = (bucket: string, job: string) => [
  'run=$(mktemp -d) && trap \'rm -rf "$run"\' EXIT',
  `aws s3 cp --only-show-errors s3://${bucket}/${job} - | tar xz -C "$run"`,
];

/** Installs artillery from its lock file. */
function installScript(bucket: string, job: string): string[] {
  return [
    ...PREPARE,
    ...Object.entries(QUIET).map(([name, value]) => `export ${name}=${value}`),
    ...fetched(bucket, job),
    'rm -rf artillery && cp -r "$run/artillery" .',
    'npm ci --prefix artillery --ignore-scripts --no-audit --no-fund --loglevel error',
  ];
}

/** Runs the workers. It leaves nothing of the run. */
function runScript(bucket: string, job: string, result: string, workers: number): string[] {
  const worker = (n: number) =>
    `FLAGWIRE_SLICES="$run/slices" FLAGWIRE_WORKER=${n} node artillery/node_modules/artillery/bin/run run --quiet ` +
    `"$run/worker-${n}/script.json" >"$run/${n}.log" 2>&1 &`;
  return [
    ...PREPARE,
    ...Object.entries(QUIET).map(([name, value]) => `export ${name}=${value}`),
    ...fetched(bucket, job),
    'mkdir "$run/slices"',
    ...Array.from({ length: workers }, (_, n) => worker(n)),
    'wait',
    `[ "$(ls "$run/slices" | wc -l)" -ge ${workers} ] || { tail -n 15 "$run"/*.log >&2; exit 1; }`,
    `tar czf - -C "$run/slices" . | aws s3 cp --only-show-errors - s3://${bucket}/${result}`,
  ];
}

/** Starts a script on the machine. */
async function startOn({ ssm, instanceId, pollMs }: GeneratorAccess, commands: readonly string[], durationS: number) {
  const timeout = Math.ceil(durationS + GRACE_S);
  const { Command } = await ssm.send(
    new SendCommandCommand({
      DocumentName: 'AWS-RunShellScript',
      InstanceIds: [instanceId],
      TimeoutSeconds: 120,
      Parameters: { commands: [...commands], executionTimeout: [String(timeout)] },
    }),
  );
  const CommandId = Command?.CommandId;
  /** @throws Error with the end of what it said, where it did not succeed */
  const wait = async (progress: Progress, signal: AbortSignal): Promise<void> => {
    const began = Date.now();
    for (;;) {
      await sleep(pollMs, undefined, { signal });
      const found = await ssm
        .send(new GetCommandInvocationCommand({ CommandId, InstanceId: instanceId }))
        .catch((error: Error) => {
          // It is there some moments after it was sent.
          if (error instanceof InvocationDoesNotExist) return undefined;
          throw error;
        });
      const { Status = 'Pending', StandardErrorContent = '' } = found ?? {};
      if (Status === 'Success') return;
      if (!['Pending', 'InProgress', 'Delayed'].includes(Status))
        throw new Error(`the load generator ended with ${Status}: ${StandardErrorContent.trim().slice(-1_000)}`);
      const elapsed = Math.round((Date.now() - began) / 1_000);
      if (elapsed > timeout) throw new Error(`the load generator did not end within ${timeout} s.`);
      progress.say(`  the load generator: ${Status}, ${elapsed} of about ${Math.round(durationS)} s`);
    }
  };
  return { wait };
}

/** Flips once all clients should be there: nothing of the run is known before it is over. */
async function flipWhenHeld({ flipping, facts, target }: Run, files: RunFiles, signal: AbortSignal): Promise<void> {
  if (!flipping) return;
  await sleep((facts.plan.rampS + SETTLE_S) * 1_000, undefined, { signal }).catch(() => {});
  if (!signal.aborted) await flip(target, flipping, (made) => files.addFlip(made), signal);
}
