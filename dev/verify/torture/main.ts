import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteWord } from '../../../shared/command/quoteWord.ts';
import { onStop } from '../../../shared/command/stopOnSignals.ts';
import { ownCommand } from '../../../shared/runtime/ownCommand.ts';
import { setTimeouts } from '../../../shared/testing/until.ts';
import { findHaproxy } from '../../support/haproxy.ts';
import { FUZZED, fuzz } from './fuzz/runFuzz.ts';
import { linearize } from './linearize/runLinearize.ts';
import { createProgram, type Options, type PartName } from './options.ts';
import { measurePart, type PartOutcome, type PartResult, Progress, type Report, runEnvironment } from './part.ts';
import { plans } from './plans/runPlans.ts';
import { SERVICES, type ServiceName } from './service.ts';

const progress = new Progress();
const interrupted = new AbortController();
const { signal } = interrupted;
onStop(() => {
  progress.say('stopping; interrupt again to stop at once');
  interrupted.abort();
});
// Processes start slowly while others are busy.
setTimeouts({ condition: 60_000 });

try {
  await createProgram(run).parseAsync();
} catch (error) {
  if (!signal.aborted) progress.say(`torture: ${(error as Error).message}`);
  process.exitCode = signal.aborted ? 130 : 2;
}

async function run(name: PartName, options: Options): Promise<void> {
  // A missing program is reported before the other parts run for minutes.
  if (/all|linearize/.test(name) && options.target?.includes('balanced')) findHaproxy();
  const results: PartResult[] = [];
  for (const [part, make] of planParts(name, options)) {
    if (signal.aborted) break;
    progress.say(part);
    const result = await measurePart(make);
    console.log(summarize(result));
    results.push(result);
  }
  // The figures of an interrupted run could be mistaken for those of a complete run.
  if (!signal.aborted && options.out !== undefined) write(options.out, results);
  const isGood = results.every(({ problems }) => problems === 0);
  process.exitCode = signal.aborted ? 130 : isGood ? 0 : 1;
}

/** The parts to run, in order, each with the line that is printed at its start. */
function planParts(name: PartName, options: Options): [string, () => Promise<PartOutcome>][] {
  const { seed } = options;
  const onEach = <Name extends ServiceName>(
    part: PartName,
    names: readonly Name[],
    make: (target: Name) => Promise<PartOutcome>,
  ) =>
    names
      .filter((each) => options.target?.includes(each))
      .map((target): [string, () => Promise<PartOutcome>] => [`${part} ${target}, seed ${seed}`, () => make(target)]);
  const plan = {
    fuzz: onEach('fuzz', FUZZED, (target) => fuzz(target, options, progress, signal)),
    linearize: onEach('linearize', SERVICES, (target) => linearize(target, options, progress, signal)),
    plans: [[`plans tick, seed ${seed}`, () => plans(options, signal)]] as [string, () => Promise<PartOutcome>][],
  };
  return name === 'all' ? Object.values(plan).flat() : plan[name];
}

function summarize({ part, target, seed, seconds, counts, problems }: PartResult): string {
  const title = `${part} ${target}: ${problems === 0 ? 'no problems' : `${problems} PROBLEMS`} in ${Math.round(seconds)} s`;
  const lines = Object.entries(counts).map(([name, count]) => `  ${String(count).padStart(9)}  ${name}`);
  return [`${title}, seed ${seed}`, ...lines].join('\n');
}

function write(folder: string, results: readonly PartResult[]): void {
  const [, , ...args] = process.argv;
  const command = ownCommand('torture', args.map(quoteWord).join(' '));
  const report: Report = { command, ...runEnvironment(), results };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'torture.json');
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  progress.say(`written to ${file}`);
}
