import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Option } from 'commander';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { onStop } from '../../../shared/command/stopOnSignals.ts';
import { userPath } from '../../../shared/command/userPath.ts';
import { setTimeouts } from '../../../shared/testing/until.ts';
import { findHaproxy } from '../../support/haproxy.ts';
import { endInfo, type RunInfo, startInfo, typed } from '../../support/runInfo.ts';
import { FUZZED, type FuzzOptions, fuzz } from './fuzz/runFuzz.ts';
import { type LinearizeOptions, linearize } from './linearize/runLinearize.ts';
import { measurePart, type PartOutcome, type PartResult, type Report, say } from './part.ts';
import { SERVICES, type ServiceName } from './service.ts';

interface Options extends FuzzOptions, LinearizeOptions {
  readonly target: readonly ServiceName[];
  readonly out?: string;
}

const program = npmCommand(
  'torture',
  'Tests the host, npm start, and three hosts behind HAProxy with malformed input and killed processes.',
)
  .addArgument(new Argument('[part]', 'part to run (default: all)').choices(['fuzz', 'linearize']))
  .addOption(
    new Option('--seed <n>', 'seed of the random inputs. The command prints the seed that it uses')
      .argParser(wholeNumber)
      .default(randomInt(1, 2 ** 31), 'random'),
  )
  .addOption(new Option('--target <name...>', 'services to test').choices(SERVICES).default([...SERVICES], 'all'))
  .option('--inputs <n>', 'fuzz: minimum number of inputs sent to each target', wholeNumber, 200_000)
  .option(
    '--from <n>',
    'fuzz: number of the first session. To repeat a problem, use the session number in its report',
    (text) => (text === '0' ? 0 : wholeNumber(text)),
    0,
  )
  .option('--seconds <n>', 'linearize: duration of faults in each test', wholeNumber, 600)
  .option('--readers <n>', 'linearize: number of clients that read flags', wholeNumber, 24)
  .option('--out <folder>', 'folder for torture.json. All parts write it to docs/results by default', userPath)
  .addHelpText(
    'after',
    `
Parts:
  fuzz       sends odd handshakes, messages and HTTP requests to the host and to npm start
  linearize  kills and restarts the service while clients read and change flags. The target balanced requires HAProxy

Exit code: 0 if no problem was found, 1 if a problem was found, 2 if the run failed, 130 if the run was interrupted.
Two runs with the same seed send the same inputs, but their timing differs.`,
  )
  .parse();

const interrupted = new AbortController();
const { signal } = interrupted;
onStop(() => {
  say('stopping; interrupt again to stop at once');
  interrupted.abort();
});
// Processes start slowly while others are busy.
setTimeouts({ condition: 60_000 });

try {
  await run(program.args[0], program.opts<Options>());
} catch (error) {
  if (!signal.aborted) say(`torture: ${(error as Error).message}`);
  process.exitCode = signal.aborted ? 130 : 2;
}

async function run(part: string | undefined, options: Options): Promise<void> {
  const { target, seed, out = part === undefined ? 'docs/results' : undefined } = options;
  // A missing program is reported before the other parts run for minutes.
  if (/^(undefined|linearize)$/.test(String(part)) && target.includes('balanced')) findHaproxy();
  const info = startInfo(typed('torture', process.argv.slice(2)));
  const results: PartResult[] = [];
  const measure = async (name: string, of: ServiceName, make: () => Promise<PartOutcome>) => {
    if (signal.aborted || (part !== undefined && name !== part)) return;
    say(`${name} ${of}, seed ${seed}`);
    const result = await measurePart(make);
    console.log(summarize(result));
    results.push(result);
  };
  for (const each of FUZZED) if (target.includes(each)) await measure('fuzz', each, () => fuzz(each, options, signal));
  for (const each of target) await measure('linearize', each, () => linearize(each, options, signal));
  // The figures of an interrupted run could be mistaken for those of a complete run.
  if (!signal.aborted && out !== undefined) write(out, info, results);
  const isGood = results.every(({ problems }) => problems === 0);
  process.exitCode = signal.aborted ? 130 : isGood ? 0 : 1;
}

function summarize({ part, target, seed, seconds, counts, problems }: PartResult): string {
  const title = `${part} ${target}: ${problems === 0 ? 'no problems' : `${problems} PROBLEMS`} in ${Math.round(seconds)} s`;
  const lines = Object.entries(counts).map(([name, count]) => `  ${String(count).padStart(9)}  ${name}`);
  return [`${title}, seed ${seed}`, ...lines].join('\n');
}

function write(folder: string, info: RunInfo, results: readonly PartResult[]): void {
  const report: Report = { ...endInfo(info), results };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'torture.json');
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  say(`written to ${file}`);
}
