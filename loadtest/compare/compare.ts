import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { installManifest } from '../../dev/support/installed.ts';
import { describeMachine, pinMyself } from '../../dev/support/machine.ts';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import { GENERATOR_CORE } from '../machine/pinned.ts';
import { writeJson, writeReport } from '../report/write.ts';
import { isCampaign, isDisturbed, readCampaign, runDirectory } from '../results/campaign.ts';
import { RunFiles } from '../results/runFiles.ts';
import { makeCampaign } from '../runner/campaign.ts';
import { EXIT, WrongArguments } from '../runner/outcome.ts';
import type { Control } from '../runner/progress.ts';
import { joinVersions } from '../runner/resume.ts';
import type { MeasuredDesign } from './cells.ts';
import { comparisonDocument } from './comparisonDocument.ts';
import { comparisonReport } from './comparisonReport.ts';
import { type MeasurableDesign, TARGETS } from './designs.ts';
import { continueCommand, requireSameOrder } from './order.ts';
import { type CompareOptions, type PartName, ratesOf, roundsOf, type Step, stepSeconds } from './rounds.ts';
import { isServed, measureServed, readServed, servedSeconds } from './served.ts';

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
  const steps = roundsOf(designs, options, out)
    .flat()
    .filter((step) => !isMade(step));
  const servedS = options.quick ? 0 : designs.length * servedSeconds(ratesOf(options));
  const endAt = Date.now() + options.minutes * 60_000;
  const hasTime = (seconds: number) => Date.now() + seconds * 1_000 <= endAt;
  // An interruption ends also processes that are about to start.
  const unlessStopped = (error: unknown) => {
    if (!signal.aborted) throw error;
  };
  progress.say(designs.map(({ title }) => title).join('; '));
  for (const [n, step] of steps.entries()) {
    const left = sumOf(steps.slice(n), stepSeconds) + servedS;
    progress.say(`step ${n + 1} of ${steps.length}, about ${Math.ceil(left / 60)} min left`);
    if (n > 0 && !hasTime(stepSeconds(step))) break;
    await measure(step, endAt, control).catch(unlessStopped);
    if (signal.aborted) break;
    writeComparison(order);
  }
  const rates = ratesOf(options);
  const served = options.quick ? [] : designs;
  for (const [n, design] of served.entries()) {
    if (!steps.every(isMade) || (steps.length + n > 0 && !hasTime(servedSeconds(rates)))) break;
    await measureServed(design, rates, out, control).catch(unlessStopped);
  }
  if (!steps.every(isMade) || !served.every((design) => isServed(design, rates, out))) {
    const why = signal.aborted ? 'interrupted' : `stopped after ${options.minutes} minutes`;
    progress.say(`${why}; continue with ${continueCommand(options, out)}`);
    return EXIT.invalid;
  }
  const { text, runs } = writeComparison(order);
  console.log(text);
  console.log(`The comparison is ${relative('.', join(out, 'comparison.html'))}, with .md and .json next to it.`);
  return runs.some(isDisturbed) ? EXIT.invalid : EXIT.good;
}

/** Writes the comparison of the runs so far, also of designs that were measured earlier. @returns its text, and the runs */
function writeComparison({ options, out }: ComparisonOrder) {
  const readPart = (design: MeasurableDesign, name: PartName) => {
    const folder = join(out, design.name, name);
    return isCampaign(folder) ? readCampaign(folder) : undefined;
  };
  const measured = Object.values(TARGETS).flatMap((designs) =>
    designs.flatMap((design): MeasuredDesign[] => {
      const [short, full, changes] = (['short', 'full', 'changes'] as const).map((name) => readPart(design, name));
      const served = readServed(design, out);
      return short || full ? [{ design, ...omitUndefined({ short, full, changes, served }) }] : [];
    }),
  );
  const campaigns = measured.flatMap(({ short, full, changes }) =>
    [short, full, changes].filter((each) => each !== undefined),
  );
  const runs = campaigns.flatMap((each) => each.runs);
  const times = runs.flatMap(({ facts: { startedAt, endedAt = startedAt } }) => [startedAt, endedAt]).sort();
  const report = comparisonReport(
    {
      startedAt: times[0] ?? new Date().toISOString(),
      endedAt: times.at(-1) ?? new Date().toISOString(),
      machine: campaigns[0]?.facts.machine ?? describeMachine(),
      // A resumed comparison may have measured several.
      versions: joinVersions(campaigns.map(({ facts }) => facts.versions)),
    },
    measured,
    ratesOf(options),
  );
  const path = join(out, 'comparison');
  writeJson(`${path}.json`, report);
  return { text: writeReport(path, comparisonDocument(report)), runs };
}

/** True if a folder has all runs of a step, complete. */
function isMade({ part, only }: Step): boolean {
  return only.every(([rate, number]) => {
    const directory = runDirectory(part.out, rate, number);
    if (!existsSync(join(directory, 'run.json'))) return false;
    const { endedAt, stopped } = new RunFiles(directory).facts;
    return endedAt !== undefined && stopped === undefined;
  });
}

/** Makes the runs of a step that are missing. @param endAt no run is repeated that would end later */
async function measure({ design, part, only }: Step, endAt: number, control: Control): Promise<void> {
  control.progress.say(`${design.title}: ${part.name}`);
  const target = await design.open(Math.max(...part.profiles.map(({ peak }) => peak)));
  const options = { ...part.options, resume: isCampaign(part.out) };
  try {
    await makeCampaign({ ...part, options, only, target, endAt }, control);
  } finally {
    await target.close();
  }
}
