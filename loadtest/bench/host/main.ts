import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import CliTable from 'cli-table3';
import { hasTaskset } from '../../machine/pinned.ts';
import { thisMachine } from '../evaluate/report.ts';
import { measureHeld } from './held.ts';
import { renderPage } from './page.ts';
import { measurePair } from './pair.ts';
import { measureProfile } from './profile.ts';
import { measurePush } from './push.ts';
import { formatBound, isKept, type Result } from './result.ts';
import { measureSaturation } from './saturation.ts';
import { measureSoak } from './soak.ts';
import { measureStorm } from './storm.ts';
import { Testbed } from './testbed.ts';

const HELP = `Measures the host beside a bare ws server in the same run; the server on one core, generator and table on another.

  npm run bench:host -- [measurement …] [options]

Measurements, all but soak unless some are named:
  storm        new connections at FeatBit's rates, each followed by a data-sync
  saturation   as many new connections a second as each server takes
  held         memory and pings of 5,000, 10,000 and 18,000 connections
  pair         30,000 connections on two processes that share a port
  push         a flag flipped 30 times, to 10,000 and to 18,000 connections
  profile      what the host does at saturation, as a .cpuprofile
  soak         memory under churn over a long time

Options:
  --runs <n>           runs of everything (default 1); a bound must be kept in each
  --rates <n,…>        new connections a second of storm (default 1000,1100,1200)
  --soak-minutes <n>   how long soak takes (default 20)
  --out <folder>       where bench-host.json, bench-host.html and the profile go (default dist/bench-host)
  --strict             exit with 1 when a bound is broken

Exits with 1 when the generator was the bottleneck of a run, whose figures then say nothing of the server; with 2 when
called wrongly.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '1' },
    rates: { type: 'string', default: '1000,1100,1200' },
    'soak-minutes': { type: 'string', default: '20' },
    out: { type: 'string', default: 'dist/bench-host' },
    strict: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const rates = values.rates.split(',').map(Number);
const measurements: Readonly<Record<string, (testbed: Testbed) => Promise<Result>>> = {
  storm: (testbed) => measureStorm(testbed, rates),
  saturation: measureSaturation,
  held: measureHeld,
  pair: measurePair,
  push: measurePush,
  profile: (testbed) => measureProfile(testbed, values.out),
  soak: (testbed) => measureSoak(testbed, Number(values['soak-minutes'])),
};

if (values.help) console.log(HELP);
else process.exitCode = await main();

async function main(): Promise<number> {
  const names = positionals.length > 0 ? positionals : Object.keys(measurements).filter((name) => name !== 'soak');
  const unknown = names.find((name) => !(name in measurements));
  if (unknown !== undefined) return refuse(`there is no measurement "${unknown}"`);
  const numbers = [...rates, Number(values.runs), Number(values['soak-minutes'])];
  if (!numbers.every((n) => Number.isInteger(n) && n > 0)) return refuse('numbers are whole and positive');
  const machine = thisMachine();
  console.log(
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}${hasTaskset() ? '' : ', NOT held to cores'}\n`,
  );
  mkdirSync(values.out, { recursive: true });
  const results: Result[] = [];
  const testbed = await Testbed.open();
  try {
    for (let run = 1; run <= Number(values.runs); run++) {
      for (const name of names) {
        const result = await measurements[name]?.(testbed);
        if (!result) continue;
        const numbered = Number(values.runs) > 1 ? { ...result, title: `${result.title} (run ${run})` } : result;
        console.log(format(numbered));
        results.push(numbered);
        save({ machine, parameters: values, at: new Date().toISOString(), results });
      }
    }
  } finally {
    await testbed.close();
  }
  const isBroken = results.some(({ bounds }) => !bounds.every(isKept));
  return results.some(({ invalid }) => invalid.length > 0) || (values.strict && isBroken) ? 1 : 0;
}

function refuse(why: string): number {
  console.error(`bench:host: ${why}; see --help`);
  return 2;
}

function save(report: Parameters<typeof renderPage>[0]): void {
  writeFileSync(`${values.out}/bench-host.json`, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(`${values.out}/bench-host.html`, renderPage(report));
}

function format({ title, head, rows, bounds, invalid, notes }: Result): string {
  const table = new CliTable({ head: [...head], style: { head: [], border: [] } });
  table.push(...rows.map((row) => [...row]));
  const lines = [...bounds.map(formatBound), ...invalid.map((why) => `INVALID: ${why}`), ...notes];
  return [title, table.toString(), ...lines, ''].join('\n');
}
