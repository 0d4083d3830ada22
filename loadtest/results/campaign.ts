import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { median } from '../../shared/statistics/quantile.ts';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import { BUSY_SHARE } from '../measure/bottlenecks.ts';
import { RunFiles } from './runFiles.ts';
import { type RunResult, readRun } from './runResult.ts';
import type { campaignFacts } from './schema.ts';

/** The facts of a campaign. They are sufficient to repeat it. */
export type CampaignFacts = z.infer<typeof campaignFacts>;

/** A campaign with its runs, in chronological order. */
export interface Campaign {
  readonly facts: CampaignFacts;
  readonly runs: readonly RunResult[];
}

/** The folder of one run: `<campaign>/runs/1000-3`. */
export function runDirectory(campaign: string, rate: number, number: number): string {
  return join(campaign, 'runs', `${rate}-${number}`);
}

/** True if a folder holds a campaign, finished or interrupted. */
export function isCampaign(directory: string): boolean {
  return existsSync(join(directory, 'campaign.json'));
}

export function writeCampaign(directory: string, facts: CampaignFacts): void {
  writeFileSync(join(directory, 'campaign.json'), `${JSON.stringify(facts, null, 2)}\n`);
}

/**
 * Reads a finished or interrupted campaign from its folder.
 *
 * @throws Error naming the folder if there is no campaign, or if it cannot be read
 */
export function readCampaign(directory: string): Campaign {
  if (!isCampaign(directory)) throw new Error(`${directory} holds no campaign: there is no campaign.json in it.`);
  const facts = readFacts(join(directory, 'campaign.json'));
  const runs = join(directory, 'runs');
  const names = existsSync(runs) ? readdirSync(runs).filter((name) => existsSync(join(runs, name, 'run.json'))) : [];
  const results = names.map((name) => readRun(new RunFiles(join(runs, name))));
  return { facts, runs: results.toSorted((a, b) => a.facts.startedAt.localeCompare(b.facts.startedAt)) };
}

function readFacts(path: string): CampaignFacts {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Complete runs that the load generator did not limit. All figures are based on them. */
export function usable(runs: readonly RunResult[]): RunResult[] {
  return runs.filter(({ partial, invalid }) => partial === undefined && invalid.length === 0);
}

/** True if a run is complete, and the load generator or other programs on its machine limited its load. */
export function isLimited({ partial, invalid }: RunResult): boolean {
  return partial === undefined && invalid.length > 0;
}

/** True if a run was limited by the load generator, or if other programs used a part of the machine that is large enough to matter. */
export function isDisturbed(run: RunResult): boolean {
  return usable([run]).length === 0 || (run.facts.others ?? 0) >= BUSY_SHARE;
}

/** The runs that nothing limited or disturbed. */
export const undisturbed = (runs: readonly RunResult[]) => runs.filter((run) => !isDisturbed(run));

/** The rates of runs, ascending. */
export function listRates(runs: readonly RunResult[]): number[] {
  return [...new Set(runs.map(({ facts }) => facts.rate))].sort((a, b) => a - b);
}

/** The usable runs at a rate. */
export function runsAt(runs: readonly RunResult[], rate: number): RunResult[] {
  return usable(runs.filter(({ facts }) => facts.rate === rate));
}

/** The runs at a rate that show a figure: the usable ones, or else the limited ones. */
export function shownRuns(runs: readonly RunResult[], rate: number): readonly RunResult[] {
  const used = runsAt(runs, rate);
  return used.length > 0 ? used : runs.filter((run) => run.facts.rate === rate && isLimited(run));
}

/** The errors of runs with their counts, most frequent first. */
export function countReasons(runs: readonly RunResult[]): [reason: string, count: number][] {
  const byReason = Map.groupBy(
    runs.flatMap(({ reasons }) => reasons),
    ([reason]) => reason,
  );
  const counted = [...byReason].map(([reason, all]): [string, number] => [reason, sumOf(all, ([, count]) => count)]);
  return counted.sort(([, a], [, b]) => b - a);
}

/** Marks a figure of a run that the load generator or other programs limited or disturbed. */
export const LIMITED = '†';

/** The median of a figure over runs. Undefined if no run has it. */
export function medianOver(runs: readonly RunResult[], of: (run: RunResult) => number | undefined): number | undefined {
  const values = runs.map((run) => of(run) ?? Number.NaN).filter(Number.isFinite);
  return values.length > 0 ? median(values) : undefined;
}
