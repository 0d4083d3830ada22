import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeMachine } from '../../dev/support/machine.ts';
import { isDisturbed, runDirectory, usable } from '../results/campaign.ts';
import { checkGates, formatGate } from '../results/gates.ts';
import type { RunResult } from '../results/runResult.ts';
import type { LoadProfile } from '../scenarios/loadProfile.ts';
import { readLimits, workersFor } from './limits.ts';
import { type Options, resolveLoad } from './options.ts';
import { type Control, describeRun } from './progress.ts';
import { runName } from './resume.ts';
import { makeRun, type Run } from './run.ts';
import type { Scenario } from './scenarios.ts';
import type { Target } from './target.ts';

/** Pause between runs, so that the last connections of one run do not overlap with the next. */
const PAUSE_MS = 3_000;

/** Runs of one scenario at several rates against one target. */
export interface CampaignOrder {
  readonly name: string;
  readonly scenario: Scenario;
  readonly options: Options;
  readonly rates: readonly number[];
  readonly runs: number;
  readonly target: Target;
  readonly out: string;
  /** The runs to make in this call, in this order. By default all, rate by rate. */
  readonly only?: readonly (readonly [rate: number, number: number])[];
  /** A run before the others, whose figures are discarded. */
  readonly warmUp?: LoadProfile;
  /** Maximum number of attempts at a run that other programs disturb. The last attempt is kept. */
  readonly attempts?: number;
  /** No further attempt begins that would end after this time, in Unix milliseconds. */
  readonly endAt?: number;
}

/** A campaign whose target is ready. */
interface ReadyCampaign {
  readonly order: CampaignOrder;
  readonly control: Control;
  /** The flags that replies must contain. */
  readonly environment: Run['environment'];
  /** Its thresholds. */
  readonly ensure: LoadProfile['ensure'];
}

/**
 * Makes the runs of a campaign, those of stages until one misses a threshold.
 *
 * @param kept results by {@link runName}, which are not made again
 */
export async function makeRuns(
  { order, control, environment, ensure }: ReadyCampaign,
  kept: ReadonlyMap<string, RunResult>,
): Promise<RunResult[]> {
  const { name, scenario, options, rates, runs, target, out, only, warmUp, attempts = 1 } = order;
  const { endAt = Number.POSITIVE_INFINITY } = order;
  const { progress, signal } = control;
  const results: RunResult[] = [];
  let isFirst = true;

  /** Makes a run, again if other programs disturbed it. */
  async function attempt(rate: number, number: number): Promise<RunResult> {
    const plan = scenario.profile(resolveLoad(scenario, options, rate));
    const directory = runDirectory(out, rate, number);
    let result = await measure(rate, number, plan, directory);
    const hasTime = () => Date.now() + plan.durationS * 1_000 <= endAt;
    for (let n = 1; n < attempts && isDisturbed(result) && !signal.aborted && hasTime(); n++) {
      progress.say('  other programs disturbed this run; repeating it');
      rmSync(directory, { recursive: true });
      result = await measure(rate, number, plan, directory);
    }
    return result;
  }

  async function measure(rate: number, number: number, profile: LoadProfile, directory: string): Promise<RunResult> {
    if (!isFirst) await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
    isFirst = false;
    const plan = { ...profile, ensure };
    const { flips: count, flipEveryS } = resolveLoad(scenario, options, rate);
    const workers = workersFor(plan.peak, rate, target.urls.length, readLimits());
    // Our servers run on the other cores of this machine.
    const cores = target.isOurs ? 1 : describeMachine().cores;
    const run: Run = {
      facts: { scenario: name, rate, number, plan, workers, cores },
      target,
      environment,
      ...('flips' in scenario.defaults && { flipping: { flag: options.flag, count, everyMs: flipEveryS * 1_000 } }),
    };
    const result = await makeRun(run, directory, control);
    progress.say(describeRun(result));
    for (const gate of usable([result]).flatMap((each) => checkGates(each, ensure))) {
      if (!gate.isKept) progress.say(`  ${formatGate(gate)}`);
    }
    return result;
  }

  if (warmUp) {
    const directory = join(out, 'warm-up');
    rmSync(directory, { recursive: true, force: true });
    progress.say('warm-up, not counted:');
    await measure(rates[0] ?? 0, 0, warmUp, directory);
  }
  const all = rates.flatMap((rate) => Array.from({ length: runs }, (_, n) => [rate, n + 1] as const));
  for (const [rate, number] of only ?? all) {
    if (signal.aborted) break;
    const result = kept.get(runName(rate, number)) ?? (await attempt(rate, number));
    results.push(result);
    if (scenario.isStaged && !keepsAll(result, ensure)) {
      const stage = rates.indexOf(rate) + 1;
      progress.say(`stopped at stage ${stage} of ${rates.length}: ${rate} new connections a second`);
      break;
    }
  }
  return results;
}

/** Returns true if a run is usable and meets all thresholds. */
function keepsAll(result: RunResult, ensure: LoadProfile['ensure']): boolean {
  return usable([result]).length > 0 && checkGates(result, ensure).every(({ isKept }) => isKept);
}
