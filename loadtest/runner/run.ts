import { setTimeout as sleep } from 'node:timers/promises';
import { readUsage } from '../../dev/support/usage.ts';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import { GENERATOR_CORE } from '../machine/pinned.ts';
import { watchOthers } from '../measure/otherPrograms.ts';
import { LiveRun } from '../results/liveRun.ts';
import { RunFiles, type Usage } from '../results/runFiles.ts';
import { type RunResult, readRun } from '../results/runResult.ts';
import type { RunFacts } from '../results/schema.ts';
import { SETTLE_S } from '../scenarios/profiles.ts';
import type { Settings } from '../scenarios/settings.ts';
import { type FlipSchedule, flip } from './flips.ts';
import type { Control } from './progress.ts';
import type { Target } from './target.ts';
import { Workers } from './workers.ts';

/** Time after the end of a plan to start workers, wait for the last replies, and write results. */
const GRACE_S = 60;

/** Delay of the agent's figures in CloudWatch. */
const CLOUDWATCH_DELAY_MS = 90_000;

/** A run to make. */
export interface Run {
  readonly facts: Omit<RunFacts, 'startedAt'>;
  readonly target: Target;
  readonly environment: Settings['environment'];
  readonly flipping?: FlipSchedule;
}

/**
 * Makes a run: creates its files, puts load on the target, and reads the usage of a remote target. An interruption keeps the measurements.
 *
 * @param directory folder for the measurements
 */
export async function makeRun(run: Run, directory: string, control: Control): Promise<RunResult> {
  const { facts, target } = run;
  const files = RunFiles.create(directory, { ...facts, startedAt: new Date().toISOString() });
  const found = await load(run, files, control);
  if (target.readUsage) {
    const [from, to] = [new Date(files.facts.startedAt), new Date()];
    control.progress.say('waiting for CloudWatch to have the server’s CPU and memory');
    await sleep(CLOUDWATCH_DELAY_MS, undefined, { signal: control.signal }).catch(() => {});
    for (const usage of await target.readUsage(from, to)) files.addUsage(usage);
  }
  files.facts = { ...files.facts, ...found, endedAt: new Date().toISOString() };
  return readRun(files);
}

/**
 * Starts artillery's workers on this machine, measures the server every second, and flips flags if requested.
 *
 * @returns why the run ended early, if it did, and the share of other programs
 * @throws Error with the last output of a worker that ended before it measured anything
 */
async function load(run: Run, files: RunFiles, { progress, signal }: Control) {
  const { facts, target } = run;
  const deadline = Date.now() + (facts.plan.durationS + GRACE_S) * 1_000;
  const readOthers = watchOthers(target.pids);
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  const endWatch = watchServer(target.pids, (usage) => files.addUsage(usage));
  const { urls, clientKey } = target;
  const settings: Settings = { urls, clientKey, ...omitUndefined({ environment: run.environment }) };
  const workers = new Workers(files, settings, target.isOurs ? GENERATOR_CORE : undefined);
  const flips = flipOnceUp(run, files, until);
  // The run ends if flags cannot be flipped.
  flips.catch(() => ended.abort());
  const live = new LiveRun(files);
  const look = () => {
    progress.show(facts, live);
    if (until.aborted) return 'it was interrupted';
    return Date.now() > deadline ? `artillery did not end ${GRACE_S} s after its time` : undefined;
  };
  try {
    const stopped = await workers.wait(look, until);
    const others = readOthers();
    ended.abort();
    await flips;
    return omitUndefined({ others, stopped });
  } finally {
    ended.abort();
    endWatch();
    workers.end();
  }
}

/** Flips flags after all clients have connected. */
async function flipOnceUp({ flipping, facts, target }: Run, files: RunFiles, signal: AbortSignal): Promise<void> {
  if (!flipping) return;
  const open = () => sumOf(files.readSlices(), (slices) => slices.at(-1)?.open ?? 0);
  const latest = Date.parse(files.facts.startedAt) + (facts.plan.rampS + GRACE_S) * 1_000;
  while (!signal.aborted && open() < facts.plan.peak && Date.now() <= latest)
    await sleep(500, undefined, { signal }).catch(() => {});
  await sleep(SETTLE_S * 1_000, undefined, { signal }).catch(() => {});
  if (!signal.aborted) await flip(target, flipping, (made) => files.addFlip(made), signal);
}

const EVERY_MS = 1_000;

/** Measures CPU and memory of processes every second, from /proc. Without processes, nothing is measured. @returns stops the measurement */
function watchServer(pids: readonly number[], onUsage: (usage: Usage) => void): () => void {
  if (pids.length === 0) return () => {};
  let before = sumUsage(pids);
  let since = performance.now();
  const timer = setInterval(() => {
    const total = sumUsage(pids);
    const now = performance.now();
    const cpu = (total.cpuSeconds - before.cpuSeconds) / ((now - since) / 1_000);
    [before, since] = [total, now];
    // A process has ended since the last measurement.
    if (cpu < 0) return;
    onUsage({ at: Date.now() / 1_000, cpu, memory: total.memory });
  }, EVERY_MS);
  return () => clearInterval(timer);
}

function sumUsage(pids: readonly number[]): { cpuSeconds: number; memory: number } {
  const all = pids.map(readUsage);
  return { cpuSeconds: sumOf(all, (each) => each.cpuSeconds), memory: sumOf(all, ({ resident }) => resident) };
}
