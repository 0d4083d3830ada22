import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pinMyself } from '../../dev/support/cores.ts';
import { installManifest } from '../../dev/support/installed.ts';
import { describeCommit, describeMachine } from '../../dev/support/machine.ts';
import { quoteWord } from '../../shared/command/quoteWord.ts';
import { GENERATOR_CORE } from '../machine/pinned.ts';
import { writeJson, writeReport } from '../report/write.ts';
import { readCampaign, usable } from '../results/campaign.ts';
import { artilleryVersion } from '../runner/artillery.ts';
import { type CampaignOrder, makeCampaign } from '../runner/campaign.ts';
import { resolveLoad } from '../runner/options.ts';
import { EXIT, WrongArguments } from '../runner/outcome.ts';
import type { Control } from '../runner/progress.ts';
import type { LoadSource } from '../runner/run.ts';
import { SCENARIOS } from '../runner/scenarios.ts';
import type { Load, LoadProfile } from '../scenarios/loadProfile.ts';
import { comparisonDocument } from './comparisonDocument.ts';
import { type ComparisonFacts, comparisonReport, type MeasuredDesign } from './comparisonReport.ts';
import { designCosts, HELD } from './designCosts.ts';
import { type MeasurableDesign, TARGETS } from './designs.ts';

/** Options of a comparison. */
export interface CompareOptions {
  readonly target: readonly string[];
  readonly quick?: boolean;
  readonly rates?: readonly number[];
  readonly runs?: number;
  readonly out?: string;
  readonly resume?: boolean;
}

/** Connections that receive changes, number of changes, and seconds between changes. */
const FANOUT = { connections: HELD, flips: 10, flipEveryS: 5 };
const QUICK_FANOUT = { connections: 2_000, flips: 5, flipEveryS: 2 };

/** Time between runs: starting and stopping the target. */
const OVERHEAD_S = 12;

/** File with the order of a comparison. */
const ORDER = 'order.json';

/** The parts of a design that decide how it is measured. */
type PlannedDesign = Pick<MeasurableDesign, 'name' | 'part' | 'quotaRate'>;

/** One campaign of the comparison, with the plans of all its runs. */
type Part = Omit<CampaignOrder, 'target' | 'source'> & { readonly plans: readonly LoadProfile[] };

/**
 * Compares the designs on this machine.
 *
 * @param control interrupts the comparison; `--resume` continues it
 * @returns the exit code
 * @throws {WrongArguments} if the folder exists or belongs to another comparison
 */
export async function compare(options: CompareOptions, control: Control): Promise<number> {
  const out = chooseFolder(options);
  const designs = options.target.flatMap((target) => TARGETS[target] ?? []);
  await installManifest('loadtest/artillery', control.progress.say);
  if (process.platform === 'linux') pinMyself(GENERATOR_CORE);
  return compareDesigns({ designs, options, out }, control);
}

/** Chooses the folder of a comparison. @throws {WrongArguments} if it exists without `--resume` */
export function chooseFolder({ out: named, resume }: CompareOptions): string {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  const out = named ?? join('dist', 'loadtest', `compare-${time}`);
  if (existsSync(out) && !resume)
    throw new WrongArguments(`${out} already exists. Choose another --out, or continue it with --resume.`);
  return out;
}

/** The designs to compare, and how. */
interface ComparisonOrder {
  readonly designs: readonly MeasurableDesign[];
  readonly options: CompareOptions;
  readonly out: string;
  /** The load generator, unless it is this machine. */
  readonly source?: LoadSource;
}

/**
 * Runs FeatBit's benchmark and changes to many clients on each design. Writes the results next to the published figures:
 * `comparison.md`, `comparison.json` and `comparison.html`.
 *
 * @returns the exit code
 */
export async function compareDesigns(order: ComparisonOrder, control: Control): Promise<number> {
  const { designs, options, out, source } = order;
  const { progress, signal } = control;
  requireSameOrder(out, designs, options);
  const parts = designs.flatMap((design) => partsOf(design, options, out).map((part) => ({ design, part })));
  const minutes = Math.ceil(secondsOf(parts.flatMap(({ part }) => part.plans)) / 60);
  progress.say(`${designs.map(({ title }) => title).join('; ')}: about ${minutes} minutes`);
  for (const { design, part } of parts) {
    if (signal.aborted) break;
    await measure(design, part, source, control);
  }
  if (signal.aborted) {
    progress.say(`interrupted; continue with --resume --out ${quoteWord(out)}`);
    return EXIT.invalid;
  }
  const measured = designs.map(
    (design): MeasuredDesign => ({
      design,
      reference: readCampaign(join(out, design.name, 'reference')),
      fanout: readCampaign(join(out, design.name, 'fanout')),
    }),
  );
  const [first = ''] = measured.map(({ reference }) => reference.facts.startedAt).sort();
  const facts: ComparisonFacts = {
    startedAt: first,
    form: options.quick ? 'short' : 'full',
    runs: parts[0]?.part.runs ?? 0,
    machine: measured[0]?.reference.facts.machine ?? describeMachine(),
    versions: { node: process.version, artillery: artilleryVersion(), commit: describeCommit() },
  };
  const rates = [...new Set(designs.flatMap((design) => askedRates(design, options)))].sort((a, b) => a - b);
  const report = comparisonReport(facts, measured, rates, designCosts);
  const path = join(out, 'comparison');
  writeJson(`${path}.json`, report);
  console.log(writeReport(path, comparisonDocument(report)));
  console.log(`The comparison is ${relative('.', `${path}.html`)}, with .md and .json next to it.`);
  const all = measured.flatMap(({ reference, fanout }) => [...reference.runs, ...fanout.runs]);
  return usable(all).length === all.length ? EXIT.good : EXIT.invalid;
}

/**
 * Records the order of a comparison, and refuses to resume one with a different order. Targets may be added.
 *
 * @throws {WrongArguments} naming what differs
 */
function requireSameOrder(out: string, designs: readonly MeasurableDesign[], options: CompareOptions): void {
  const path = join(out, ORDER);
  const order = {
    form: options.quick ? 'short' : 'full',
    rates: ratesOf(options),
    runs: options.runs,
    source: designs.some(({ source }) => source === 'AWS') ? 'AWS' : 'this machine',
  };
  const is = JSON.stringify(order);
  const was = existsSync(path) ? readFileSync(path, 'utf8').trim() : is;
  if (was !== is) throw new WrongArguments(`${out} was measured with ${was}, not with ${is}. Choose another --out.`);
  mkdirSync(out, { recursive: true });
  writeFileSync(path, `${is}\n`);
}

/** Rates that a comparison is asked for, in new connections a second. */
export function ratesOf({ rates }: CompareOptions): readonly number[] {
  return rates ?? SCENARIOS.reference.defaults.rates;
}

/** The rates for a design, ascending: the rates of the comparison, and the highest rate that its quotas allow. */
function askedRates({ quotaRate }: PlannedDesign, options: CompareOptions): number[] {
  const all = [...ratesOf(options), ...(quotaRate === undefined ? [] : [quotaRate])];
  return [...new Set(all)].sort((a, b) => a - b);
}

/** Plans of all runs that a design takes. */
export function profilesFor(design: PlannedDesign, options: CompareOptions): LoadProfile[] {
  return partsOf(design, options, '').flatMap(({ plans }) => plans);
}

/** The campaigns of a design. */
function partsOf(design: PlannedDesign, options: CompareOptions, out: string): Part[] {
  const { part } = design;
  const { quick = false, runs, resume } = options;
  const asked = askedRates(design, options);
  const { connections, ...changes } = quick ? QUICK_FANOUT : FANOUT;
  const make = (name: 'reference' | 'fanout', count: number, rates: readonly number[], load: Partial<Load>): Part => {
    const scenario = SCENARIOS[name];
    const directory = join(out, design.name, name);
    const isBegun = resume === true && existsSync(join(directory, 'campaign.json'));
    const base = { target: design.name, flag: 'returns-true', region: '', cpu: 0, memory: 0, quick, load };
    const plans = rates.map((rate) => scenario.profile(resolveLoad(scenario, base, rate)));
    return {
      ...{ name, scenario, rates, runs: count, out: directory, plans: Array(count).fill(plans).flat() },
      options: { ...base, ...(isBegun && { resume: true }) },
    };
  };
  const { reference, fanout } = SCENARIOS;
  // A quota would refuse higher rates.
  const fanoutRates = fanout.defaults.rates.map((rate) => Math.min(rate, ...asked) * part);
  return [
    make(
      'reference',
      runs ?? (quick ? 1 : reference.defaults.runs),
      asked.map((rate) => rate * part),
      {},
    ),
    make('fanout', 1, fanoutRates, { ...changes, connections: connections * part }),
  ];
}

/** Makes a campaign, or what is missing of one that was begun. */
async function measure(design: MeasurableDesign, part: Part, source: LoadSource | undefined, control: Control) {
  const { name, rates, runs, plans, options, out } = part;
  if (options.resume && usable(readCampaign(out).runs).length === rates.length * runs) return;
  control.progress.say(`${design.title}: ${name}`);
  const target = await design.open(Math.max(...plans.map(({ peak }) => peak)));
  try {
    await makeCampaign({ ...part, target, ...(source && { source }) }, control);
  } finally {
    await target.close();
  }
}

/** The total duration of runs in sequence. @param overheadS time between two runs */
export function secondsOf(plans: readonly LoadProfile[], overheadS = OVERHEAD_S): number {
  return plans.reduce((sum, { durationS }) => sum + durationS + overheadS, 0);
}
