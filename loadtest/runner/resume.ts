import { rmSync } from 'node:fs';
import { type CampaignFacts, isCampaign, readCampaign, runDirectory, usable } from '../results/campaign.ts';
import type { RunResult } from '../results/runResult.ts';
import { WrongArguments } from './outcome.ts';

/** The facts that all runs of a campaign share. */
const sharedFacts = ({ scenario, target, parameters, ensure, machine: { cpu, cores } }: CampaignFacts) => {
  return { scenario, target, parameters, ensure, machine: { cpu, cores } };
};

/** Separates the commits, and the versions of Node and artillery, that measured a campaign. */
export const COMMITS = '; ';

type Versions = CampaignFacts['versions'];

/** All versions of several sessions, each once. */
export function joinVersions(all: readonly Versions[]): Versions {
  const join = (name: keyof Versions) =>
    [...new Set(all.flatMap((versions) => versions[name].split(COMMITS)))].join(COMMITS);
  return { node: join('node'), artillery: join('artillery'), commit: join('commit') };
}

/**
 * Continues an interrupted campaign: keeps usable runs, and deletes the others.
 *
 * @param facts of the continued campaign
 * @param isRound true if it was not interrupted: its runs are made in several calls. Then only runs that ended early are deleted
 * @returns its new facts, and the kept runs by {@link runName}
 * @throws {WrongArguments} if there is none, or if it has another scenario, target, load, threshold or machine
 */
export function resume(directory: string, facts: CampaignFacts, isRound = false) {
  if (!isCampaign(directory))
    throw new WrongArguments(
      `${directory} holds no campaign. Remove --resume, or name the folder of a campaign with --out.`,
    );
  const before = readCampaign(directory);
  const now = sharedFacts(facts);
  for (const [name, shared] of Object.entries(sharedFacts(before.facts))) {
    const [was, is] = [shared, now[name as keyof typeof now]].map((value) => JSON.stringify(value));
    if (was !== is) throw new WrongArguments(`${directory} was measured with ${name} ${was}, and not with ${is}.`);
  }
  const kept = new Map<string, RunResult>();
  for (const run of before.runs) {
    const { rate, number } = run.facts;
    if (isRound ? run.partial === undefined : usable([run]).length > 0) kept.set(runName(rate, number), run);
    else rmSync(runDirectory(directory, rate, number), { recursive: true });
  }
  if (isRound)
    return { facts: { ...before.facts, versions: joinVersions([before.facts.versions, facts.versions]) }, kept };
  const { commit } = facts.versions;
  const note = `It was interrupted after ${kept.size} runs, and continued on ${facts.startedAt.slice(0, 10)} at commit ${commit}.`;
  return { facts: { ...before.facts, notes: [...before.facts.notes, note] }, kept };
}

/** The name of a run among those of its campaign. */
export function runName(rate: number, number: number): string {
  return `${rate}-${number}`;
}
