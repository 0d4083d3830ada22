import { mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeCommit, describeMachine } from '../../dev/support/machine.ts';
import { BUSY_SHARE } from '../measure/bottlenecks.ts';
import { OtherPrograms } from '../measure/otherPrograms.ts';
import { type CampaignFacts, writeCampaign } from '../results/campaign.ts';
import type { RunResult } from '../results/runResult.ts';
import { artilleryVersion } from './artillery.ts';
import { type CampaignOrder, makeRuns } from './campaignRuns.ts';
import { resolveLoad } from './options.ts';
import { fetchEnvironment, preflight } from './preflight.ts';
import type { Control, Progress } from './progress.ts';
import { resume } from './resume.ts';
import { serverSide } from './serverSide.ts';
import type { Target } from './target.ts';

/** Time to observe other programs before the first run. */
const LOOK_MS = 1_000;

/** The facts of a campaign before its target has started, without the notes on the target. */
function describeCampaign(
  { name, scenario, options, rates, runs, only }: CampaignOrder,
  target: string,
): CampaignFacts {
  const load = resolveLoad(scenario, options, rates[0] ?? 0);
  return {
    scenario: name,
    target,
    startedAt: new Date().toISOString(),
    // Later rounds may add runs.
    parameters: { ...load, rate: undefined, rates, ...(!only && { runs }) },
    ensure: [...scenario.profile(load).ensure, ...(options.ensure ?? [])],
    machine: describeMachine(),
    versions: { node: process.version, artillery: artilleryVersion(), commit: describeCommit() },
    notes: [],
  };
}

/**
 * Makes all runs of a campaign in sequence and stores each. A resumed campaign skips the runs that it has.
 *
 * @returns the results; after an interruption those of the runs so far
 */
export async function makeCampaign(order: CampaignOrder, control: Control): Promise<RunResult[]> {
  const { scenario, options, rates, runs, target, out, only } = order;
  const { progress } = control;
  mkdirSync(out, { recursive: true });
  const begun = { ...describeCampaign(order, target.name), notes: target.notes };
  await lookForOthers(target, progress);
  await preflight(target.urls[0] ?? '', target.clientKey);
  const environment = await fetchEnvironment(target);
  const [first] = rates;
  const plan = first === undefined ? undefined : scenario.profile(resolveLoad(scenario, options, first));
  const server = plan && (await serverSide(plan, target, environment));
  const { facts, kept } = options.resume
    ? resume(out, begun, only !== undefined)
    : { facts: begun, kept: new Map<string, RunResult>() };
  writeCampaign(out, facts);
  if (kept.size > 0 && !only) progress.say(`continuing after ${kept.size} of ${rates.length * runs} runs`);
  const expected = { environment, server };
  return makeRuns({ order, control, expected, ensure: begun.ensure }, kept);
}

/** Warns about other programs on this machine before any load is sent. */
async function lookForOthers({ pids }: Target, progress: Progress): Promise<void> {
  const others = new OtherPrograms(pids);
  await sleep(LOOK_MS);
  const share = others.share() ?? 0;
  if (share < BUSY_SHARE) return;
  progress.say(
    `other programs use ${Math.round(share * 100)} % of this machine's processors (load average ${loadavg()[0]?.toFixed(1)}). ` +
      'Times will be longer, and disturbed runs are discarded. Stop these programs, or measure on another machine.',
  );
}
