import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { LOAD_FOLDERS } from '../../../infra/constructs/host/generatorMachine.ts';
import { omitUndefined } from '../../../shared/runtime/omitUndefined.ts';
import type { RunFiles } from '../../results/runFiles.ts';
import { writeScript } from '../../runner/artillery.ts';
import { flip } from '../../runner/flips.ts';
import { workersFor } from '../../runner/limits.ts';
import type { Control } from '../../runner/progress.ts';
import { type LoadSource, makeSettings, type Run } from '../../runner/run.ts';
import { splitProfile } from '../../scenarios/parts.ts';
import { SETTLE_S } from '../../scenarios/profiles.ts';
import { awaitAgent, type GeneratorAccess, runOnMachine } from './machineCommands.ts';
import { installScript, runScript } from './machineScripts.ts';

/** The default type: https://aws.amazon.com/ec2/instance-types/c6i/. */
const MACHINE = { cpu: 'c6i.xlarge', cores: 4, memoryBytes: 8 * 1024 ** 3 };

/** The limits in its user data (infra/constructs/host/generatorMachine.ts). */
const LIMITS = { files: 1_000_000, ports: 65_535 - 1_024 + 1 };

/** Seconds from the start signal of the machine until the first connection. */
const START_S = 5;

/** Maximum difference between the clocks of writer and clients. With a larger one, changes are not measured. */
const CLOCK_MS = 2_000;

const HERE = join(import.meta.dirname, '..', '..');

/**
 * The load generator in the host's network. It downloads each run from its bucket, as an archive with a script and a processor for each
 * worker. Systems Manager starts the run. The measurements return through the bucket.
 */
export function generatorMachine(access: GeneratorAccess): LoadSource {
  return {
    isHere: false,
    machine: MACHINE,
    cores: MACHINE.cores,
    workers: ({ peak }, rate) => workersFor(peak, rate, 1, LIMITS),
    load: (run, files, control) => loadFromMachine(access, run, files, control),
  };
}

/** Installs artillery on the machine. @throws Error with the output of a failure */
export async function prepareMachine(access: GeneratorAccess, control: Control): Promise<void> {
  const { bucket: Bucket, s3 } = access;
  const job = `${LOAD_FOLDERS.jobs}${randomUUID()}.tgz`;
  await awaitAgent(access, control.signal);
  await s3.send(new PutObjectCommand({ Bucket, Key: job, Body: packArtillery() }));
  try {
    await runOnMachine(access, installScript(Bucket, job), 0, control);
  } finally {
    await s3.send(new DeleteObjectCommand({ Bucket, Key: job })).catch(() => {});
  }
}

async function loadFromMachine(access: GeneratorAccess, run: Run, files: RunFiles, { progress, signal }: Control) {
  const { plan, workers } = run.facts;
  const { bucket, s3 } = access;
  const id = randomUUID();
  const results = `${LOAD_FOLDERS.results}${id}`;
  const objects = { job: `${LOAD_FOLDERS.jobs}${id}.tgz`, result: `${results}.tgz`, begun: `${results}.begun` };
  const ended = new AbortController();
  const control = { progress, signal: AbortSignal.any([signal, ended.signal]) };
  let failed: Error | undefined;
  try {
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: objects.job, Body: packRun(run) }));
    const flips = flipWhenHeld(access, objects.begun, run, files, control).catch((error: Error) => {
      failed = error;
      ended.abort();
    });
    await runOnMachine(access, runScript({ bucket, ...objects }, workers), plan.durationS, control);
    ended.abort();
    await flips;
    unpack(await readObject(s3, bucket, objects.result), files);
  } catch (error) {
    throw failed ?? error;
  } finally {
    ended.abort();
    const deleted = Object.values(objects).map((Key) => s3.send(new DeleteObjectCommand({ Bucket: bucket, Key })));
    await Promise.allSettled(deleted);
  }
  return omitUndefined({ stopped: signal.aborted ? 'it was interrupted' : undefined });
}

async function readObject(s3: S3Client, Bucket: string, Key: string): Promise<Uint8Array> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  return (Body as { transformToByteArray(): Promise<Uint8Array> }).transformToByteArray();
}

/** The archive of a run: a folder for each worker. */
function packRun(run: Run): Buffer {
  const { plan, workers, cores } = run.facts;
  return pack((folder) => {
    for (const [n, part] of splitProfile(plan, workers, cores).entries()) {
      mkdirSync(join(folder, `worker-${n}`));
      writeScript(join(folder, `worker-${n}`), part, makeSettings(run));
    }
  });
}

/** The archive of artillery's manifest and lock file. */
function packArtillery(): Buffer {
  return pack((folder) => {
    mkdirSync(join(folder, 'artillery'));
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(HERE, 'artillery', name), join(folder, 'artillery', name));
  });
}

/** @param fill writes files to a folder */
function pack(fill: (folder: string) => void): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'flagwire-job-'));
  try {
    fill(folder);
    return execFileSync('tar', ['czf', '-', '-C', folder, '.'], { maxBuffer: 256 * 1024 ** 2 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unpacks the workers' measurements into the folder of local workers. */
function unpack(archive: Uint8Array, files: RunFiles): void {
  const path = join(files.directory, 'slices.tgz');
  writeFileSync(path, archive);
  execFileSync('tar', ['xzf', path, '-C', files.slices]);
  rmSync(path);
}

/** Flips after the planned time of the last connection. Only the start of the run is known here. */
async function flipWhenHeld(
  { s3, bucket, pollMs }: GeneratorAccess,
  begun: string,
  { flipping, facts, target }: Run,
  files: RunFiles,
  { progress, signal }: Control,
): Promise<void> {
  if (!flipping) return;
  let clock: number | undefined;
  while (clock === undefined) {
    await sleep(pollMs / 5, undefined, { signal });
    // Without permission to list, AWS returns "forbidden" for a missing object.
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
