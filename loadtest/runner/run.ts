import { setTimeout as sleep } from 'node:timers/promises';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { GENERATOR_CORE } from '../machine/pinned.ts';
import { OtherPrograms } from '../measure/otherPrograms.ts';
import { type RunFacts, RunFiles } from '../results/runFiles.ts';
import { type RunResult, readRun } from '../results/runResult.ts';
import { SETTLE_S } from '../scenarios/plans.ts';
import type { Settings } from '../scenarios/settings.ts';
import { drainOnTime } from './drains.ts';
import { type FlipSchedule, flip } from './flips.ts';
import type { Progress } from './progress.ts';
import { ServerWatch } from './serverWatch.ts';
import type { Target } from './target.ts';
import { Workers } from './workers.ts';

/** Beyond a plan's own time: to start, to wait for the last answers, to write results. */
const GRACE_S = 60;

/** How late CloudWatch has what its agent measured. */
const CLOUDWATCH_DELAY_MS = 90_000;

/** One run, to be made. */
export interface Run {
  readonly facts: Omit<RunFacts, 'startedAt'>;
  readonly target: Target;
  readonly environment: Settings['environment'];
  /** What SDKs on servers ask for, where the plan has some. */
  readonly server?: Settings['server'];
  /** Users that connections are drawn from; undefined: each is its own. */
  readonly users?: number;
  readonly flipping?: FlipSchedule;
  /** Whether the generator keeps off the server's core. */
  readonly isPinned: boolean;
  /** Told every second what has been seen so far; the run ends when it says so. @returns why */
  readonly isEnough?: (files: RunFiles) => string | undefined;
}

/**
 * Makes a run: artillery's workers, a look at the server every second, flips where they are asked for.
 *
 * @param directory where everything that it finds is appended as it happens
 * @param signal ends it before its time; what there is until then is kept
 * @throws Error when a worker ends before it measured anything, with its last words
 */
export async function makeRun(
  run: Run,
  directory: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<RunResult> {
  const { facts, target, isEnough, isPinned } = run;
  const files = RunFiles.create(directory, { ...facts, startedAt: new Date().toISOString() });
  const deadline = Date.now() + (facts.plan.durationS + GRACE_S) * 1_000;
  const others = new OtherPrograms(target.pids);
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  const watch = new ServerWatch(target.pids, (usage) => files.addUsage(usage));
  const workers = new Workers(files, makeSettings(run), isPinned ? GENERATOR_CORE : undefined);
  const flips = flipOnceUp(run, files, until);
  // Without flips there is no point in going on.
  flips.catch(() => ended.abort());
  const hasBegun = () =>
    files
      .readSlices()
      .flat()
      .some(({ counters }) => 'began' in counters);
  const drained = drainOnTime(facts.plan, target, hasBegun, (line) => progress.say(line), until);
  drained.catch(() => ended.abort());
  const look = () => {
    progress.show(facts, files);
    if (until.aborted) return 'it was interrupted';
    const tooLate = Date.now() > deadline ? `artillery did not end ${GRACE_S} s after its time` : undefined;
    return isEnough?.(files) ?? tooLate;
  };
  try {
    const stopped = await workers.wait(look, until);
    const share = others.share();
    ended.abort();
    await Promise.all([flips, drained]);
    await addRemoteUsage(target, files, progress, signal);
    files.facts = {
      ...files.facts,
      ...omitUndefined({ others: share, stopped }),
      endedAt: new Date().toISOString(),
    };
  } finally {
    ended.abort();
    watch.stop();
    workers.end();
  }
  return readRun(files);
}

/** The processor's settings. */
export function makeSettings({ target, facts, environment, server, users }: Omit<Run, 'isPinned'>): Settings {
  const { urls, clientKey } = target;
  return { urls, clientKey, ...omitUndefined({ sdks: facts.plan.sdks, users, environment, server }) };
}

/** The agent of an instance reports what it measures a minute later. */
export async function addRemoteUsage(
  target: Target,
  files: RunFiles,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  if (!target.readUsage) return;
  const to = new Date();
  progress.say('waiting for CloudWatch to have the server’s CPU and memory');
  await sleep(target.usageDelayMs ?? CLOUDWATCH_DELAY_MS, undefined, { signal }).catch(() => {});
  for (const usage of await target.readUsage(new Date(files.facts.startedAt), to)) files.addUsage(usage);
}

/** Flips once all clients are there. */
async function flipOnceUp({ flipping, facts, target }: Run, files: RunFiles, signal: AbortSignal): Promise<void> {
  if (!flipping) return;
  const expected = facts.plan.peak;
  while (!signal.aborted && openIn(files) < expected) {
    await sleep(500, undefined, { signal }).catch(() => {});
    if ((Date.now() - Date.parse(files.facts.startedAt)) / 1_000 > facts.plan.rampS + GRACE_S) break;
  }
  await sleep(SETTLE_S * 1_000, undefined, { signal }).catch(() => {});
  if (!signal.aborted) await flip(target, flipping, (made) => files.addFlip(made), signal);
}

/** Connections that are open by what workers wrote last. */
function openIn(files: RunFiles): number {
  return files.readSlices().reduce((sum, slices) => sum + (slices.at(-1)?.open ?? 0), 0);
}
