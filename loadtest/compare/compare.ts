import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pinMyself } from '../../dev/support/cores.ts';
import { installManifest } from '../../dev/support/installed.ts';
import { describeCommit, describeMachine } from '../../dev/support/machine.ts';
import { GENERATOR_CORE } from '../machine/pinned.ts';
import { renderHtml } from '../report/html.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { renderText } from '../report/text.ts';
import { type Campaign, readCampaign, usable } from '../results/campaign.ts';
import { artilleryVersion } from '../runner/artillery.ts';
import { makeCampaign } from '../runner/campaign.ts';
import { type Options, resolveLoad } from '../runner/options.ts';
import { EXIT, WrongArguments } from '../runner/outcome.ts';
import type { Progress } from '../runner/progress.ts';
import { SCENARIOS, type Scenario } from '../runner/scenarios.ts';
import { comparisonDocument } from './comparisonDocument.ts';
import { comparisonReport, type MeasuredDesign } from './comparisonReport.ts';
import { designCosts, HELD } from './designCosts.ts';
import { type LocalDesign, TARGETS } from './designs.ts';

/** What the command line says of a comparison. */
export interface CompareOptions {
  readonly target: readonly string[];
  readonly quick?: boolean;
  readonly rates?: readonly number[];
  readonly runs?: number;
  readonly out?: string;
  readonly resume?: boolean;
}

/** Connections that changes go to in the short form, and seconds between two changes. */
const QUICK_FANOUT = { connections: 2_000, flips: 5, flipEvery: 2 };

/** Between runs: starting what is measured, and its end. */
const OVERHEAD_S = 12;

/** One campaign of the comparison. */
interface Part {
  readonly design: LocalDesign;
  readonly scenario: 'reference' | 'fanout';
  readonly rates: readonly number[];
  readonly runs: number;
  readonly options: Options;
  readonly directory: string;
}

/**
 * Measures FeatBit's benchmark and changes to many clients on each design, one after another, and writes what was found next to what was
 * published: `comparison.md`, `comparison.json` and `comparison.html`.
 *
 * @param signal ends it before its time; `--resume` goes on from there
 * @returns the exit code
 * @throws {WrongArguments} where it cannot be done so
 */
export async function compare(options: CompareOptions, progress: Progress, signal: AbortSignal): Promise<number> {
  const startedAt = new Date().toISOString();
  const out = options.out ?? join('dist', 'loadtest', `compare-${startedAt.slice(0, 19).replaceAll(':', '')}`);
  const isBegun = existsSync(out);
  if (isBegun && !options.resume)
    throw new WrongArguments(`${out} exists already: choose another --out, or go on with it by --resume.`);
  const rates = options.rates ?? SCENARIOS['reference']?.defaults.rates ?? [];
  const designs = options.target.flatMap((target) => TARGETS[target] ?? []);
  const parts = designs.flatMap((design) => partsOf(design, rates, options, out));
  progress.say(`${designs.map(({ title }) => title).join('; ')}: about ${Math.ceil(secondsOf(parts) / 60)} minutes`);
  await installManifest('loadtest/artillery', (line) => progress.say(line));
  if (process.platform === 'linux') pinMyself(GENERATOR_CORE);
  mkdirSync(out, { recursive: true });
  for (const part of parts) {
    if (signal.aborted) break;
    await measure(part, progress, signal);
  }
  if (signal.aborted) {
    progress.say(`it was interrupted; go on with it by --resume --out ${out}`);
    return EXIT.invalid;
  }
  const measured = designs.map(
    (design): MeasuredDesign => ({
      design,
      reference: readCampaign(join(out, design.name, 'reference')),
      fanout: readCampaign(join(out, design.name, 'fanout')),
    }),
  );
  const isShort = options.quick ?? false;
  const report = comparisonReport(
    {
      startedAt: measured.map(({ reference }) => reference.facts.startedAt).sort()[0] ?? startedAt,
      form: isShort ? 'short' : 'full',
      runs: parts[0]?.runs ?? 0,
      machine: describeMachine(),
      versions: { node: process.version, artillery: artilleryVersion(), commit: describeCommit() },
    },
    measured,
    rates,
    designCosts,
  );
  const document = comparisonDocument(report);
  writeFileSync(join(out, 'comparison.json'), `${JSON.stringify(report, null, 1)}\n`);
  writeFileSync(join(out, 'comparison.md'), renderMarkdown(document));
  writeFileSync(join(out, 'comparison.html'), renderHtml(document));
  console.log(renderText(document));
  console.log(`The comparison is ${relative('.', join(out, 'comparison.html'))}, with .md and .json next to it.`);
  const all = measured.flatMap(({ reference, fanout }) => [...reference.runs, ...fanout.runs]);
  return usable(all).length === all.length ? EXIT.good : EXIT.invalid;
}

function partsOf(design: LocalDesign, rates: readonly number[], { quick, runs, resume }: CompareOptions, out: string) {
  const { name, part, quotaRate } = design;
  const base = { target: name, flag: 'returns-true', region: '', cpu: 0, memory: 0, ...(quick && { quick }) };
  const asked = [...new Set([...rates, ...(quotaRate === undefined ? [] : [quotaRate])])].sort((a, b) => a - b);
  const { connections, flips, flipEvery } = quick ? QUICK_FANOUT : { connections: HELD, flips: 10, flipEvery: 5 };
  const fanout = scenarioNamed('fanout');
  const made = (scenario: Part['scenario'], of: Omit<Part, 'design' | 'scenario' | 'directory'>): Part => {
    const directory = join(out, name, scenario);
    const isBegun = resume === true && existsSync(join(directory, 'campaign.json'));
    return { design, scenario, ...of, directory, options: { ...of.options, ...(isBegun && { resume: true }) } };
  };
  return [
    made('reference', {
      rates: asked.map((rate) => rate * part),
      runs: runs ?? (quick ? 1 : scenarioNamed('reference').defaults.runs),
      options: base,
    }),
    made('fanout', {
      rates: part === 1 ? fanout.defaults.rates : fanout.localRates,
      runs: 1,
      options: { ...base, connections: connections * part, flips, flipEvery },
    }),
  ];
}

/** Makes a campaign, or what is missing of one that was begun. */
async function measure(part: Part, progress: Progress, signal: AbortSignal): Promise<void> {
  const { design, scenario: scenarioName, rates, runs, options, directory } = part;
  if (options.resume && isComplete(readCampaign(directory), rates, runs)) return;
  const scenario = scenarioNamed(scenarioName);
  const peak = Math.max(...rates.map((rate) => scenario.plan(resolveLoad(scenario, options, rate)).peak));
  progress.say(`${design.title}: ${scenarioName}`);
  const target = await design.open(peak);
  try {
    const order = { name: scenarioName, scenario, options, rates, runs, target, out: directory };
    await makeCampaign(order, progress, signal);
  } finally {
    await target.close();
  }
}

function isComplete({ runs: made }: Campaign, rates: readonly number[], runs: number): boolean {
  return usable(made).length === rates.length * runs;
}

function secondsOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { scenario: name, rates, runs, options }) => {
    const scenario = scenarioNamed(name);
    const seconds = rates.map((rate) => scenario.plan(resolveLoad(scenario, options, rate)).durationS + OVERHEAD_S);
    return sum + runs * seconds.reduce((total, each) => total + each, 0);
  }, 0);
}

function scenarioNamed(name: Part['scenario']): Scenario {
  return SCENARIOS[name] as Scenario;
}
