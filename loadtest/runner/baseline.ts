import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { canTell, leastRuns } from '../measure/rankTest.ts';
import { type Campaign, type CampaignFacts, readCampaign, usable } from '../results/campaign.ts';
import { findMismatch } from '../results/comparable.ts';
import { compare, levelPerFigure, pairFigures } from '../results/comparison.ts';
import { readTrend } from '../results/trend.ts';
import { WrongArguments } from './outcome.ts';

/** What the command line says of earlier campaigns. */
export interface ComparisonOptions {
  readonly baseline?: string;
  readonly failOn?: 'worse';
  readonly trend?: string;
}

/** The same options for the load test and for reports of kept ones. */
export function addComparisonOptions(command: Command): void {
  const about = 'an earlier campaign, with which each figure is compared';
  command
    .addOption(new Option('--baseline <folder>', about).conflicts('findMax'))
    .addOption(
      new Option('--fail-on <verdict>', 'exit with 6 if a figure is worse than the baseline’s').choices(['worse']),
    )
    .option('--trend <folder>', 'a folder of campaigns, of which the last ten by date are shown');
}

/**
 * Reads what a campaign is to be held against.
 *
 * @returns undefined where none was named
 * @throws {WrongArguments} for a folder that holds no campaign, or none for a trend
 */
export function readBaseline({ baseline: folder, failOn, trend }: ComparisonOptions): Campaign | undefined {
  if (trend !== undefined && !statSync(trend, { throwIfNoEntry: false })?.isDirectory())
    throw new WrongArguments(`--trend ${trend} is no folder.`);
  if (folder === undefined) {
    if (failOn !== undefined) throw new WrongArguments(`--fail-on ${failOn} takes a --baseline to be worse than.`);
    return undefined;
  }
  if (!existsSync(join(folder, 'campaign.json')))
    throw new WrongArguments(`--baseline ${folder} holds no campaign: name the --out of an earlier npm run loadtest.`);
  return readCampaign(folder);
}

/**
 * Refuses a baseline that says nothing about a campaign: one of another scenario, target, load or machine, or without a usable run at
 * one of its rates.
 *
 * @throws {WrongArguments} naming what differs
 */
export function requireComparable(baseline: Campaign, facts: CampaignFacts, rates: readonly number[]): void {
  const { facts: before, runs } = baseline;
  const { what, was, is } = findMismatch(before, facts) ?? {};
  if (what === 'machine')
    throw new WrongArguments(
      `the baseline was measured on another machine, ${was}, and not on ${is}: measure both on one, figures of two are not compared.`,
    );
  if (what !== undefined)
    throw new WrongArguments(`the baseline is another campaign: its ${what} is ${was}, and not ${is}.`);
  for (const rate of rates) {
    const made = runs.filter((run) => run.facts.rate === rate);
    if (usable(made).length > 0) continue;
    const why = made.length > 0 ? `all ${made.length} of it are INVALID or partial` : 'there is none';
    throw new WrongArguments(`the baseline has no run at ${rate}/s that says anything of the server: ${why}.`);
  }
}

/** A campaign with what it is held against, as far as that was asked for. */
export function withComparisons(
  campaign: Campaign,
  baseline: Campaign | undefined,
  options: ComparisonOptions,
): Campaign {
  const { failOn, trend } = options;
  return {
    ...campaign,
    ...(baseline && { comparison: compare(campaign, baseline, failOn === 'worse') }),
    ...(trend !== undefined && { trend: readTrend(campaign, trend) }),
  };
}

/**
 * Why nothing can be told however much a campaign differs; undefined when something can.
 *
 * @param runs that are asked for at each rate
 */
export function tooFew(baseline: Campaign, rates: readonly number[], runs: number): string | undefined {
  const before = usable(baseline.runs).filter(({ facts }) => rates.includes(facts.rate));
  const level = levelPerFigure(pairFigures(before, before).length);
  const least = Math.min(...rates.map((rate) => before.filter(({ facts }) => facts.rate === rate).length));
  if (canTell(runs, least, level)) return undefined;
  const needed = leastRuns(level);
  return (
    `${runs} runs at each rate, compared with the baseline's ${least}, are too few to call anything worse or better: it takes ${needed} ` +
    `of each (--runs ${needed}), in the baseline too.`
  );
}
