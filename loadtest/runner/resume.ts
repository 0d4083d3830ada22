import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CampaignFacts, readCampaign, runDirectory, usable } from '../results/campaign.ts';
import type { RunResult } from '../results/runResult.ts';
import { WrongArguments } from './outcome.ts';

/** What must be the same for runs to be of one campaign. */
const SAME = ['scenario', 'target', 'parameters', 'ensure'] as const;

/**
 * Takes up an interrupted campaign: runs that say something of the server are kept, the others are removed.
 *
 * @param facts of the campaign that goes on
 * @returns the facts it is to have from now on, and the kept runs, each by the name that {@link runName} gives it
 * @throws {WrongArguments} when there is none, or it is of another scenario, target, load or threshold
 */
export function resume(
  directory: string,
  facts: CampaignFacts,
): { readonly facts: CampaignFacts; readonly kept: ReadonlyMap<string, RunResult> } {
  if (!existsSync(join(directory, 'campaign.json')))
    throw new WrongArguments(
      `${directory} holds no campaign to go on with: leave --resume out, or name its folder by --out.`,
    );
  const before = readCampaign(directory);
  for (const name of SAME) {
    const [was, is] = [before.facts[name], facts[name]].map((value) => JSON.stringify(value));
    if (was !== is) throw new WrongArguments(`${directory} was measured with ${name} ${was}, and not with ${is}.`);
  }
  const kept = new Map<string, RunResult>();
  for (const run of before.runs) {
    const { rate, number } = run.facts;
    if (usable([run]).length > 0) kept.set(runName(rate, number), run);
    else rmSync(runDirectory(directory, rate, number), { recursive: true });
  }
  const { commit } = facts.versions;
  const note = `It was interrupted after ${kept.size} runs, and gone on with on ${facts.startedAt.slice(0, 10)} at commit ${commit}.`;
  return { facts: { ...before.facts, notes: [...before.facts.notes, note] }, kept };
}

/** The name of a run among those of its campaign. */
export function runName(rate: number, number: number): string {
  return `${rate}-${number}`;
}
