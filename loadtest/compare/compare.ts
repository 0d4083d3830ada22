import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { installManifest } from '../../dev/support/installed.ts';
import { describeMachine, pinMyself } from '../../dev/support/machine.ts';
import { quoteWord } from '../../shared/command/quoteWord.ts';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { GENERATOR_CORE } from '../machine/pinned.ts';
import { writeJson, writeReport } from '../report/write.ts';
import { isCampaign, isDisturbed, readCampaign } from '../results/campaign.ts';
import { artilleryVersion } from '../runner/artillery.ts';
import { makeCampaign } from '../runner/campaign.ts';
import { EXIT, WrongArguments } from '../runner/outcome.ts';
import type { Control } from '../runner/progress.ts';
import type { MeasuredDesign } from './cells.ts';
import { comparisonDocument } from './comparisonDocument.ts';
import { comparisonReport } from './comparisonReport.ts';
import { type MeasurableDesign, TARGETS } from './designs.ts';
import { type CompareOptions, type PartName, ratesOf, roundsOf, type Step, secondsOf } from './rounds.ts';
import { measureServed, readServed, servedSeconds } from './served.ts';

/** File with the order of a comparison. */
const ORDER = 'order.json';

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
function chooseFolder({ out: named, resume }: CompareOptions): string {
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
}

/**
 * Runs FeatBit's benchmark and changes to many clients on each design. Writes the results next to the published figures:
 * `comparison.html`, `comparison.md` and `comparison.json`.
 *
 * @returns the exit code
 */
async function compareDesigns(order: ComparisonOrder, control: Control): Promise<number> {
  const { designs, options, out } = order;
  const { progress, signal } = control;
  requireSameOrder(out, options);
  const rounds = roundsOf(designs, options, out);
  const servedS = options.quick ? 0 : designs.length * servedSeconds(ratesOf(options));
  const minutesFrom = (round: number) => {
    const parts = rounds.slice(round).flatMap((steps) => steps.map(({ part }) => part));
    const seconds = parts.map(
      ({ profiles, warmUp, runs }) => secondsOf(warmUp ? [warmUp] : []) + secondsOf(profiles) / runs,
    );
    return Math.ceil(seconds.reduce((sum, each) => sum + each, servedS) / 60);
  };
  progress.say(designs.map(({ title }) => title).join('; '));
  for (const [n, steps] of rounds.entries()) {
    progress.say(`round ${n + 1} of ${rounds.length}, about ${minutesFrom(n)} min left`);
    for (const step of steps) if (!signal.aborted) await measure(step, control);
    if (!signal.aborted && n < rounds.length - 1) writeComparison(order);
  }
  if (!options.quick) for (const design of designs) await measureServed(design, ratesOf(options), out, control);
  if (signal.aborted) {
    progress.say(`interrupted; continue with --resume --out ${quoteWord(out)}`);
    return EXIT.invalid;
  }
  const { text, runs } = writeComparison(order);
  console.log(text);
  console.log(`The comparison is ${relative('.', join(out, 'comparison.html'))}, with .md and .json next to it.`);
  return runs.some(isDisturbed) ? EXIT.invalid : EXIT.good;
}

/** Writes the comparison of the runs so far. @returns its text, and the runs */
function writeComparison({ designs, options, out }: ComparisonOrder) {
  const readPart = (design: MeasurableDesign, name: PartName) => {
    const folder = join(out, design.name, name);
    return isCampaign(folder) ? readCampaign(folder) : undefined;
  };
  const measured = designs.flatMap((design): MeasuredDesign[] => {
    const [short, full, changes] = (['short', 'full', 'changes'] as const).map((name) => readPart(design, name));
    const served = readServed(design, out);
    return short ? [{ design, short, ...omitUndefined({ full, changes, served }) }] : [];
  });
  const campaigns = measured.flatMap(({ short, full, changes }) =>
    [short, full, changes].filter((each) => each !== undefined),
  );
  const runs = campaigns.flatMap((each) => each.runs);
  // A resumed comparison may have measured several.
  const commits = new Set(campaigns.map(({ facts }) => facts.versions.commit));
  const times = runs.flatMap(({ facts: { startedAt, endedAt = startedAt } }) => [startedAt, endedAt]).sort();
  const report = comparisonReport(
    {
      startedAt: times[0] ?? new Date().toISOString(),
      endedAt: times.at(-1) ?? new Date().toISOString(),
      form: options.quick ? 'short' : 'full',
      runs: Math.max(...measured.map(({ short }) => Math.max(...short.runs.map(({ facts }) => facts.number)))),
      machine: measured[0]?.short.facts.machine ?? describeMachine(),
      versions: { node: process.version, artillery: artilleryVersion(), commit: [...commits].join('; ') },
    },
    measured,
    ratesOf(options),
  );
  const path = join(out, 'comparison');
  writeJson(`${path}.json`, report);
  return { text: writeReport(path, comparisonDocument(report)), runs };
}

/**
 * Records the order of a comparison, and refuses to resume one with a different order. Targets may be added.
 *
 * @throws {WrongArguments} naming what differs
 */
function requireSameOrder(out: string, options: CompareOptions): void {
  const path = join(out, ORDER);
  const order = {
    form: options.quick ? 'short' : 'full',
    rates: ratesOf(options),
    runs: options.runs,
  };
  const is = JSON.stringify(order);
  const was = existsSync(path) ? readFileSync(path, 'utf8').trim() : is;
  if (was !== is) throw new WrongArguments(`${out} was measured with ${was}, not with ${is}. Choose another --out.`);
  mkdirSync(out, { recursive: true });
  writeFileSync(path, `${is}\n`);
}

/** Makes the runs of a step that are missing. */
async function measure({ design, part, only }: Step, control: Control): Promise<void> {
  const isBegun = isCampaign(part.out);
  const complete = isBegun ? readCampaign(part.out).runs.filter(({ partial }) => partial === undefined) : [];
  const isMade = ([rate, number]: (typeof only)[number]) =>
    complete.some(({ facts }) => facts.rate === rate && facts.number === number);
  if (only.every(isMade)) return;
  control.progress.say(`${design.title}: ${part.name}`);
  const target = await design.open(Math.max(...part.profiles.map(({ peak }) => peak)));
  const options = { ...part.options, resume: isBegun };
  try {
    await makeCampaign({ ...part, options, only, target }, control);
  } finally {
    await target.close();
  }
}
