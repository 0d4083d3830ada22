import { type Command, Option } from 'commander';
import { userPath } from '../../shared/command/userPath.ts';
import { type Campaign, type CampaignFacts, isCampaign, readCampaign, runsAt, usable } from '../results/campaign.ts';
import { compare, LEAST_RUNS } from '../results/comparison.ts';
import { WrongArguments } from './outcome.ts';

/** Maximum relative difference in memory of two equal machines. */
const SAME_MEMORY = 0.1;

/** Options that name earlier campaigns. */
export interface ComparisonOptions {
  readonly baseline?: string;
  readonly failOn?: 'worse';
}

/** Adds these options, for load tests and reports. */
export function addComparisonOptions(command: Command): void {
  const about = 'folder of an earlier load test. The report compares each figure with it';
  command
    .addOption(new Option('--baseline <folder>', about).argParser(userPath).conflicts('findMax'))
    .addOption(
      new Option('--fail-on <verdict>', 'exit with 6 if a figure is worse than in the baseline').choices(['worse']),
    );
}

/**
 * Reads the baseline.
 *
 * @returns undefined if none was named
 * @throws {WrongArguments} if a folder holds no campaign, or if --fail-on has no --baseline
 */
export function readBaseline({ baseline: folder, failOn }: ComparisonOptions): Campaign | undefined {
  if (folder === undefined) {
    if (failOn !== undefined) throw new WrongArguments(`--fail-on ${failOn} needs a --baseline.`);
    return undefined;
  }
  if (!isCampaign(folder))
    throw new WrongArguments(
      `--baseline ${folder} holds no campaign. Name the --out folder of an earlier npm run loadtest.`,
    );
  return readCampaign(folder);
}

/**
 * Refuses a baseline that cannot be compared: another scenario, target, load or machine, or no usable run at one of the rates.
 *
 * @throws {WrongArguments} naming what differs
 */
export function requireComparable(baseline: Campaign, facts: CampaignFacts, rates: readonly number[]): void {
  const { facts: before, runs } = baseline;
  const load = ({ parameters }: CampaignFacts) => JSON.stringify({ ...parameters, rates: undefined, runs: undefined });
  const shared = {
    scenario: [before.scenario, facts.scenario],
    target: [before.target, facts.target],
    load: [load(before), load(facts)],
  };
  for (const [what, [was, is]] of Object.entries(shared))
    if (was !== is) throw new WrongArguments(`the baseline differs: its ${what} is ${was}, not ${is}.`);
  if (!isSameMachine(before.machine, facts.machine)) {
    const [was, is] = [describeMachine(before.machine), describeMachine(facts.machine)];
    throw new WrongArguments(
      `the baseline was measured on ${was}, this campaign on ${is}. Measure both on the same machine.`,
    );
  }
  for (const rate of rates) {
    const made = runs.filter((run) => run.facts.rate === rate);
    if (usable(made).length > 0) continue;
    const discarded = made.length === 1 ? 'it was discarded' : `all ${made.length} were discarded`;
    const why = made.length === 0 ? 'there is none' : discarded;
    throw new WrongArguments(`the baseline has no run at ${rate}/s that counts: ${why}.`);
  }
}

function isSameMachine(a: CampaignFacts['machine'], b: CampaignFacts['machine']): boolean {
  const isSameSize = Math.abs(a.memoryBytes / b.memoryBytes - 1) <= SAME_MEMORY;
  return a.cpu === b.cpu && a.cores === b.cores && isSameSize;
}

function describeMachine({ cpu, cores, memoryBytes }: CampaignFacts['machine']): string {
  return `${cpu} with ${cores} cores and ${Math.round(memoryBytes / 1024 ** 3)} GiB`;
}

/**
 * Checks that a campaign can be compared with its baseline, before any load is sent.
 *
 * @param say gets a warning if the runs are too few to show a difference
 * @throws {WrongArguments} as {@link requireComparable} does, and for too few runs with --fail-on
 */
export function checkBaseline(
  baseline: Campaign,
  facts: CampaignFacts,
  { rates, runs, failOn }: { readonly rates: readonly number[]; readonly runs: number } & ComparisonOptions,
  say: (line: string) => void,
): void {
  requireComparable(baseline, facts, rates);
  const few = tooFew(baseline, rates, runs);
  if (few === undefined) return;
  if (failOn !== undefined) throw new WrongArguments(few);
  say(few);
}

/** A campaign with its baseline, if requested. */
export function withComparison(of: Campaign, baseline: Campaign | undefined, { failOn }: ComparisonOptions): Campaign {
  return baseline ? { ...of, comparison: compare(of, baseline, failOn === 'worse') } : of;
}

/**
 * The reason why a comparison cannot show a difference. Undefined if it can.
 *
 * @param runs number of runs at each rate
 */
export function tooFew(baseline: Campaign, rates: readonly number[], runs: number): string | undefined {
  const least = Math.min(...rates.map((rate) => runsAt(usable(baseline.runs), rate).length));
  if (Math.min(runs, least) >= LEAST_RUNS) return undefined;
  return (
    `${runs} runs at each rate against ${least} of the baseline are too few to show a difference: both need ${LEAST_RUNS} ` +
    `(--runs ${LEAST_RUNS}).`
  );
}
