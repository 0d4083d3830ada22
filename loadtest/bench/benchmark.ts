import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { figuresTable } from '../../shared/command/figuresTable.ts';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { userPath } from '../../shared/command/userPath.ts';
import { ended, formatStamp, makeStamp, type Stamp, typed } from '../measure/stamp.ts';

/** The benchmarks: `npm run bench -- <name>` runs `<name>/<name>Benchmark.ts`. */
export const BENCHMARKS = {
  beside: 'Compares Flagwire’s host with another server that uses FeatBit’s protocol, under the same load',
  functions: 'Measures the CPU time and log size of one call of each Lambda function',
  host: 'Compares the host with minimal WebSocket servers, on Bun and on Node',
  idle: 'Measures the CPU time of an idle host',
  scale: 'Computes the connections and pushes that AWS’s quotas allow, for docs/scale.md',
  peers: 'Compares Flagwire’s host with other flag servers and with minimal WebSocket servers',
} as const;
export type BenchmarkName = keyof typeof BENCHMARKS;

/** Unit of a figure divided by that of the bare server in the same run. */
export const TO_BARE = '× bare';

/** A bound that a figure must keep. */
export interface Bound {
  readonly name: string;
  readonly measured: number;
  readonly unit: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** One table of results. */
export interface Result {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly bounds?: readonly Bound[];
  /** Why a run measured its generator and not the server. */
  readonly invalid?: readonly string[];
  /** What a reader must know to read the figures right. */
  readonly notes?: readonly string[];
}

interface CommonOptions {
  readonly out: string;
  readonly strict?: boolean;
}

/** A benchmark that has begun. */
export interface Benchmark<Options> {
  readonly options: Options & CommonOptions;
  readonly args: readonly string[];
  readonly stamp: Stamp;
  /**
   * Prints results, and writes all results so far as JSON, with command, machine, commit and date.
   *
   * @param data fields of the JSON besides
   */
  readonly report: (results: readonly Result[], data?: object) => void;
}

/** The command of a benchmark. */
export function benchCommand(name: BenchmarkName): Command {
  return npmCommand('bench', `${BENCHMARKS[name]}.`)
    .name(`npm run bench -- ${name}`)
    .option('--out <file>', 'JSON file for the results', userPath, `dist/bench/${name}.json`)
    .option('--strict', 'exit with 1 if a result misses its limit')
    .addHelpText(
      'after',
      '\nExit code: 0 if the benchmark finished, 1 if a result misses its limit (--strict), 2 if an argument is invalid, 3 if the load generator limited a run.',
    );
}

/** Reads the arguments, and begins. @param secrets options whose values are not to be written */
export function begin<Options = object>(command: Command, secrets: readonly string[] = []): Benchmark<Options> {
  const options = command.parse().opts<Options & CommonOptions>();
  const [name = ''] = command.name().split(' ').slice(-1);
  const stamp = makeStamp(typed('bench', [name, ...process.argv.slice(2)], secrets));
  const { out, strict, ...rest } = options;
  const parameters = Object.fromEntries(Object.entries(rest).filter(([option]) => !/secret/i.test(option)));
  const all: Result[] = [];
  const report = (results: readonly Result[], data: object = {}) => {
    all.push(...results);
    console.log(results.map(formatResult).join('\n'));
    mkdirSync(dirname(out), { recursive: true });
    const json = { stamp: ended(stamp), parameters, ...data, results: all };
    writeFileSync(out, `${JSON.stringify(json, null, 2)}\n`);
    if (all.length === results.length)
      process.on('exit', () => console.log(`${formatStamp(ended(stamp)).replaceAll('`', '')}\nwritten to ${out}`));
    if (all.some(({ invalid = [] }) => invalid.length > 0)) process.exitCode = 3;
    if (strict && all.some(({ bounds = [] }) => !bounds.every(isKept))) process.exitCode = 1;
  };
  return { options, args: command.args, stamp, report };
}

/** Says on standard error how far it is. */
export function progress(text: string): void {
  process.stderr.write(`… ${text}\n`);
}

/** Whether a measured value is within its limit. A value equal to the limit is. A value that could not be measured is not. */
export function isKept({ measured, atMost, atLeast }: Bound): boolean {
  return (atMost === undefined || measured <= atMost) && (atLeast === undefined || measured >= atLeast);
}

export function formatResult({ title, head, rows, bounds = [], invalid = [], notes = [] }: Result): string {
  const lines = [...bounds.map(formatBound), ...invalid.map((why) => `INVALID: ${why}`), ...notes];
  return [title, figuresTable(head, rows), ...lines, ''].join('\n');
}

function formatBound(bound: Bound): string {
  const { name, measured, unit, atMost, atLeast } = bound;
  const limits = [atLeast === undefined ? [] : `at least ${atLeast}`, atMost === undefined ? [] : `at most ${atMost}`];
  return `${isKept(bound) ? 'met' : 'MISSED'}: ${name}: ${round(measured)} ${unit} (${limits.flat().join(', ')})`;
}

/** Three significant digits. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}
