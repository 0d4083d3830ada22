import type { Command } from 'commander';
import { endInfo, formatInfo, startInfo, typed } from '../../dev/support/runInfo.ts';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { userPath } from '../../shared/command/userPath.ts';
import { makeSection } from '../report/document.ts';
import { sectionAsText, writeJson } from '../report/write.ts';

/** The benchmarks: `npm run bench -- <name>` runs `<name>/<name>Benchmark.ts`. */
export const BENCHMARKS = {
  'front-door': 'Measures failover behind the front door, for docs/results/reliability.md',
  functions: 'Measures the CPU time and log size of one call of each Lambda function',
  lambda: 'Measures cold starts and evaluations of the provider, and cold starts of connect and sync',
  polling: 'Measures the CPU time of the host’s polls of the table, on Bun and on Node',
  peers: 'Compares Flagwire’s host with other flag servers and with a minimal WebSocket server',
} as const;
type BenchmarkName = keyof typeof BENCHMARKS;

/** A count that must be 0, such as errors. */
export interface Bound {
  readonly name: string;
  readonly measured: number;
}

/** One table of results. */
export interface Result {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly bounds?: readonly Bound[];
  /** Reasons why the load generator limited the load. */
  readonly invalid?: readonly string[];
  /** Notes that a reader needs to interpret the figures. */
  readonly notes?: readonly string[];
}

/** The command of a benchmark. @param out default file for the results */
export function benchCommand(name: BenchmarkName, out = `dist/bench/${name}.json`): Command {
  return npmCommand('bench', `${BENCHMARKS[name]}.`)
    .name(`npm run bench -- ${name}`)
    .option('--out <file>', 'JSON file for the results', userPath, out)
    .addHelpText(
      'after',
      '\nExit code: 0 if the benchmark finished, 2 if an argument is invalid, 3 if the load generator limited a run.',
    );
}

/** The file for the results of a parsed command. @param variant added to the name of the default file */
export function resultsFile(command: Command, variant: string): string {
  const { out } = command.opts<{ readonly out: string }>();
  return command.getOptionValueSource('out') === 'default' ? out.replace(/\.json$/, `${variant}.json`) : out;
}

/** Parses the arguments, and starts. @param variantOf see {@link resultsFile} */
export function begin<Options extends object>(command: Command, variantOf: (options: Options) => string = () => '') {
  const options = command.parse().opts<Options & { readonly out: string }>();
  const [name = ''] = command.name().split(' ').slice(-1);
  const info = startInfo(typed('bench', [name, ...process.argv.slice(2)]));
  const { out: _, ...parameters } = options;
  const out = resultsFile(command, variantOf(options));
  /**
   * Prints results, and writes them as JSON, with command, machine, commit and date.
   *
   * @param data additional fields of the JSON
   */
  const report = (results: readonly Result[], data: object = {}): void => {
    const stamp = endInfo(info);
    writeJson(out, { stamp, parameters, ...data, results });
    console.log([...results.map(formatResult), formatInfo(stamp), `written to ${out}`].join('\n'));
    if (results.some(({ invalid = [] }) => invalid.length > 0)) process.exitCode = 3;
  };
  return { options, args: command.args, info, report };
}

/** Prints progress on standard error. */
export function progress(text: string): void {
  process.stderr.write(`… ${text}\n`);
}

/** Prints the steps of long work on standard error. The time left is computed from the steps before. */
export function progressOf(steps: number, now = Date.now): (text: string) => void {
  const startedAt = now();
  let done = 0;
  return (text) => {
    const minutes = Math.ceil(((now() - startedAt) / done / 60_000) * (steps - done));
    const left = done > 0 ? `, about ${minutes} min left` : '';
    progress(`${++done} of ${steps}${left}: ${text}`);
  };
}

/** A result for a terminal. */
export function formatResult({ title, head, rows, bounds = [], invalid = [], notes = [] }: Result): string {
  const verdicts = [
    ...bounds.map(({ name, measured }) => ({ isGood: measured === 0, text: `${name}: ${measured} (must be 0)` })),
    ...invalid.map((why) => ({ isGood: false, text: `INVALID: ${why}` })),
  ];
  return sectionAsText(makeSection(title, { tables: [{ head, rows }], verdicts, notes }));
}

/** Three significant digits. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}
