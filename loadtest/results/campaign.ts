import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../../dev/support/machine.ts';
import type { Comparison } from './comparedFigure.ts';
import { RunFiles } from './runFiles.ts';
import { type RunResult, readRun } from './runResult.ts';

/** What all runs of a campaign have in common: enough to make it again. */
export interface CampaignFacts {
  readonly scenario: string;
  readonly target: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly ensure: readonly Readonly<Record<string, number>>[];
  readonly machine: Machine;
  readonly versions: { readonly node: string; readonly artillery: string; readonly commit: string };
  /** What a reader of its figures must know. */
  readonly notes: readonly string[];
}

/** A campaign with its runs, in the order in which they were made. */
export interface Campaign {
  readonly facts: CampaignFacts;
  readonly runs: readonly RunResult[];
  /** Compared with an earlier one, where it was asked for. */
  readonly comparison?: Comparison;
}

/** The folder of one run: `<campaign>/runs/1000-3`. */
export function runDirectory(campaign: string, rate: number, number: number): string {
  return join(campaign, 'runs', `${rate}-${number}`);
}

export function writeCampaign(directory: string, facts: CampaignFacts): void {
  writeFileSync(join(directory, 'campaign.json'), `${JSON.stringify(facts, null, 2)}\n`);
}

/**
 * Reads a campaign from its folder, whether it came to its end or not.
 *
 * @param known usable runs by their folder's name, which are not read again, and to which those found are added; a run that is not
 *   usable may be made again in the same folder
 * @throws Error when there is none or it cannot be read, naming the folder
 */
export function readCampaign(directory: string, known = new Map<string, RunResult>()): Campaign {
  const path = join(directory, 'campaign.json');
  if (!existsSync(path)) throw new Error(`${directory} holds no campaign: there is no campaign.json in it.`);
  const facts = readFacts(path);
  const runs = join(directory, 'runs');
  const names = existsSync(runs) ? readdirSync(runs).filter((name) => existsSync(join(runs, name, 'run.json'))) : [];
  const results = names.map((name) => {
    const result = known.get(name) ?? readRun(new RunFiles(join(runs, name)));
    if (usable([result]).length > 0) known.set(name, result);
    return result;
  });
  return { facts, runs: results.toSorted((a, b) => a.facts.startedAt.localeCompare(b.facts.startedAt)) };
}

function readFacts(path: string): CampaignFacts {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Runs that figures are made of: complete, and not held up by the generator. */
export function usable(runs: readonly RunResult[]): RunResult[] {
  return runs.filter(({ partial, invalid }) => partial === undefined && invalid.length === 0);
}
