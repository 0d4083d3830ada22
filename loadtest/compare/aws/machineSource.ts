import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { LOAD_FOLDERS } from '../../../infra/constructs/host/generatorMachine.ts';
import { omitUndefined } from '../../../shared/runtime/omitUndefined.ts';
import { RunFiles } from '../../results/runFiles.ts';
import { type RunResult, readRun } from '../../results/runResult.ts';
import { writeScript } from '../../runner/artillery.ts';
import { flip } from '../../runner/flips.ts';
import { workersFor } from '../../runner/limits.ts';
import type { LoadSource } from '../../runner/loadSource.ts';
import type { Progress } from '../../runner/progress.ts';
import { addRemoteUsage, makeSettings, type Run } from '../../runner/run.ts';
import { splitPlan } from '../../scenarios/parts.ts';
import { SETTLE_S } from '../../scenarios/plans.ts';
import { awaitAgent, type GeneratorAccess, startOn } from './machineCommands.ts';
import { installScript, runScript } from './machineScripts.ts';

/** The default type: https://aws.amazon.com/ec2/instance-types/c6i/. */
const MACHINE = { cpu: 'c6i.xlarge', cores: 4, memoryBytes: 8 * 1024 ** 3 };

/** What its user data allows (infra/constructs/host/generatorMachine.ts). */
const LIMITS = { files: 1_000_000, ports: 65_535 - 1_024 + 1 };

/** Seconds until the first connection, after the machine has said that it begins. */
const START_S = 5;

/** How much the clocks of writer and clients may differ for times of changes to mean anything. */
const CLOCK_MS = 2_000;

const HERE = join(import.meta.dirname, '..', '..');

/**
 * The load generator in the host's network. Each run is an archive with a script and a processor for each worker, which the machine
 * fetches from its bucket; Systems Manager starts it, and the seconds that the workers measured come back the same way.
 */
export function generatorMachine(access: GeneratorAccess): LoadSource {
  return {
    isHere: false,
    machine: MACHINE,
    cores: MACHINE.cores,
    workers: ({ peak }, rate) => workersFor(peak, rate, 1, LIMITS),
    make: (run, directory, progress, signal) => makeMachineRun(access, run, directory, progress, signal),
  };
}

/** Installs artillery on the machine. @throws Error with what it said, where that does not succeed */
export async function prepareMachine(access: GeneratorAccess, progress: Progress, signal: AbortSignal): Promise<void> {
  const { bucket: Bucket, s3 } = access;
  const job = `${LOAD_FOLDERS.jobs}${randomUUID()}.tgz`;
  await awaitAgent(access, signal);
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
  const begun = `${LOAD_FOLDERS.results}${id}.begun`;
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  let failed: Error | undefined;
  try {
    await s3.send(new PutObjectCommand({ Bucket, Key: job, Body: packRun(run) }));
    const script = runScript({ bucket: Bucket, job, result, begun }, facts.workers);
    const command = await startOn(access, script, facts.plan.durationS);
    const flips = flipWhenHeld(access, begun, run, files, progress, until).catch((error: Error) => {
      failed = error;
      ended.abort();
    });
    await command.wait(progress, until);
    ended.abort();
    await flips;
    unpack(await readObject(s3, Bucket, result), files);
  } catch (error) {
    throw failed ?? error;
  } finally {
    ended.abort();
    await Promise.allSettled([job, result, begun].map((Key) => s3.send(new DeleteObjectCommand({ Bucket, Key }))));
  }
  await addRemoteUsage(target, files, progress, signal);
  const stopped = signal.aborted ? 'it was interrupted' : undefined;
  files.facts = { ...files.facts, ...omitUndefined({ stopped }), endedAt: new Date().toISOString() };
  return readRun(files);
}

async function readObject(s3: S3Client, Bucket: string, Key: string): Promise<Uint8Array> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  return (Body as { transformToByteArray(): Promise<Uint8Array> }).transformToByteArray();
}

/** What the machine runs: a folder for each worker. */
function packRun(run: Run): Buffer {
  const { plan, workers, cores } = run.facts;
  return pack((folder) => {
    for (const [n, part] of splitPlan(plan, workers, cores).entries()) {
      mkdirSync(join(folder, `worker-${n}`));
      writeScript(join(folder, `worker-${n}`), part, makeSettings(run));
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

/** Flips once all clients should be there: of the run no more is known than when it began. */
async function flipWhenHeld(
  { s3, bucket, pollMs }: GeneratorAccess,
  begun: string,
  { flipping, facts, target }: Run,
  files: RunFiles,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  if (!flipping) return;
  let clock: number | undefined;
  while (clock === undefined) {
    await sleep(pollMs / 5, undefined, { signal });
    // AWS says "forbidden" of what is not there yet, to those who may not list.
    clock = await readObject(s3, bucket, begun).then(
      (text) => Number(Buffer.from(text)),
      () => undefined,
    );
  }
  const difference = Date.now() - clock;
  if (Math.abs(difference) > CLOCK_MS + pollMs) {
    progress.say(
      `the clock of this machine and the load generator's differ by ${Math.round(difference / 1_000)} s: changes are not measured`,
    );
    return;
  }
  await sleep((START_S + facts.plan.rampS + SETTLE_S) * 1_000, undefined, { signal });
  await flip(target, flipping, (made) => files.addFlip(made), signal);
}
