import { mkdirSync, writeFileSync } from 'node:fs';
import { Argument } from 'commander';
import { findHaproxy } from '../../../dev/support/haproxy.ts';
import { describeMachine } from '../../../dev/support/machine.ts';
import { figuresTable } from '../../../shared/command/figuresTable.ts';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { wholeNumber, wholeNumbers } from '../../../shared/command/numbers.ts';
import { hasTaskset } from '../../machine/pinned.ts';
import { ended, stampOf, typed } from '../../measure/stamp.ts';
import { Testbed } from '../../testbed/testbed.ts';
import { measureBalanced } from './balanced.ts';
import { measureHeld } from './held.ts';
import { type Report, renderPage } from './page.ts';
import { measurePair } from './pair.ts';
import { measureProfile } from './profile.ts';
import { measurePush } from './push.ts';
import { formatBound, isKept, type Result } from './result.ts';
import { measureSaturation } from './saturation.ts';
import { measureSoak } from './soak.ts';
import { measureStorm } from './storm.ts';

interface Options {
  readonly runs: number;
  readonly rates: readonly number[];
  readonly soakMinutes: number;
  readonly out: string;
  readonly strict?: boolean;
}

const HELP = `
Measurements, all but balanced and soak unless some are named:
  storm        new connections at FeatBit's rates, each followed by a data-sync
  saturation   as many new connections a second as each server takes
  held         memory and pings of 5,000, 10,000 and 18,000 connections
  pair         30,000 connections on two processes that share a port
  push         a flag flipped 30 times, to 10,000 and to 18,000 connections
  balanced     9,000 connections over one HAProxy to three hosts, 30,000 over four, a flag flipped to all; needs HAProxy
  profile      what the host does at saturation, on Node, as a .cpuprofile
  soak         memory under churn over a long time

Exit code: 0 done, 1 a bound is broken (--strict), 2 wrong arguments, or HAProxy is not installed, 3 the generator was the bottleneck of a
run, whose figures then say nothing of the server.`;

const MEASUREMENTS: Readonly<Record<string, (testbed: Testbed, options: Options) => Promise<Result>>> = {
  storm: (testbed, { rates }) => measureStorm(testbed, rates),
  saturation: measureSaturation,
  held: measureHeld,
  pair: measurePair,
  balanced: measureBalanced,
  push: measurePush,
  profile: (testbed, { out }) => measureProfile(testbed, out),
  soak: (testbed, { soakMinutes }) => measureSoak(testbed, soakMinutes),
};

const program = npmCommand(
  'bench:host',
  'Measures the host on Bun and on Node beside bare servers in the same run; the server on one core, generator and table on another.',
)
  .addArgument(new Argument('[measurements...]').choices(Object.keys(MEASUREMENTS)))
  .option('--runs <n>', 'runs of everything; a bound must be kept in each', wholeNumber, 1)
  .option('--rates <n,...>', 'new connections a second of storm', wholeNumbers, [1_000, 1_100, 1_200])
  .option('--soak-minutes <n>', 'how long soak takes', wholeNumber, 20)
  .option('--out <folder>', 'where bench-host.json, bench-host.html and the profile go', 'dist/bench-host')
  .option('--strict', 'exit with 1 when a bound is broken')
  .addHelpText('after', HELP)
  .parse();

process.exitCode = await main(program.args, program.opts<Options>());

async function main(named: readonly string[], options: Options): Promise<number> {
  if (named.includes('balanced')) requireHaproxy();
  const names =
    named.length > 0 ? named : Object.keys(MEASUREMENTS).filter((name) => !['balanced', 'soak'].includes(name));
  const machine = { ...describeMachine(), node: process.version };
  const stamp = stampOf(typed('bench:host', process.argv.slice(2)));
  console.log(
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}${hasTaskset() ? '' : ', NOT held to cores'}\n`,
  );
  mkdirSync(options.out, { recursive: true });
  const results: Result[] = [];
  const testbed = await Testbed.open();
  try {
    for (let run = 1; run <= options.runs; run++) {
      for (const name of names) {
        const result = await MEASUREMENTS[name]?.(testbed, options);
        if (!result) continue;
        const numbered = options.runs > 1 ? { ...result, title: `${result.title} (run ${run})` } : result;
        console.log(format(numbered));
        results.push(numbered);
        save(options.out, {
          stamp: ended(stamp),
          machine,
          parameters: { ...options },
          at: new Date().toISOString(),
          results,
        });
      }
    }
  } finally {
    await testbed.close();
  }
  const isBroken = results.some(({ bounds }) => !bounds.every(isKept));
  if (options.strict && isBroken) return 1;
  return results.some(({ invalid }) => invalid.length > 0) ? 3 : 0;
}

/** Says what is missing before the minutes of other measurements, and ends. */
function requireHaproxy(): void {
  try {
    findHaproxy();
  } catch (error) {
    program.error(`error: ${(error as Error).message}`, { exitCode: 2 });
  }
}

function save(out: string, report: Report): void {
  writeFileSync(`${out}/bench-host.json`, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(`${out}/bench-host.html`, renderPage(report));
}

function format({ title, head, rows, bounds, invalid, notes }: Result): string {
  const lines = [...bounds.map(formatBound), ...invalid.map((why) => `INVALID: ${why}`), ...notes];
  return [title, figuresTable(head, rows), ...lines, ''].join('\n');
}
