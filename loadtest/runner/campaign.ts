import { mkdirSync } from 'node:fs';
import { describeCommit, describeMachine } from '../../dev/support/machine.ts';
import { type CampaignFacts, writeCampaign } from '../results/campaign.ts';
import type { RunResult } from '../results/runResult.ts';
import { artilleryVersion } from './artillery.ts';
import { type CampaignOrder, makeRuns } from './campaignRuns.ts';
import { resolveLoad } from './options.ts';
import { fetchEnvironment, preflight } from './preflight.ts';
import type { Control } from './progress.ts';
import { resume } from './resume.ts';

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
  const { options, rates, runs, target, out, only } = order;
  const { progress } = control;
  mkdirSync(out, { recursive: true });
  const begun = { ...describeCampaign(order, target.name), notes: target.notes };
  await preflight(target.urls[0] ?? '', target.clientKey);
  const environment = await fetchEnvironment(target);
  const { facts, kept } = options.resume
    ? resume(out, begun, only !== undefined)
    : { facts: begun, kept: new Map<string, RunResult>() };
  writeCampaign(out, facts);
  if (kept.size > 0 && !only) progress.say(`continuing after ${kept.size} of ${rates.length * runs} runs`);
  return makeRuns({ order, control, environment, ensure: begun.ensure }, kept);
}
