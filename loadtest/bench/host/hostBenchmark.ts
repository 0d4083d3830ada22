import { Argument } from 'commander';
import { hasTaskset } from '../../../dev/support/cores.ts';
import { wholeNumber, wholeNumbers } from '../../../shared/command/numbers.ts';
import { userPath } from '../../../shared/command/userPath.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { Testbed } from '../../testbed/testbed.ts';
import { type Bound, begin, benchCommand, formatBound, isKept, type Result, round } from '../benchmark.ts';
import { measureHeld } from './held.ts';
import { halveLimits } from './published.ts';
import { measurePush } from './push.ts';
import { measureSaturation } from './saturation.ts';
import { measureStorm } from './storm.ts';

interface Options {
  readonly runs: number;
  readonly rates: readonly number[];
  readonly against?: string;
}

const HELP = `
Measurements (default: all):
  storm        opens connections at FeatBit's rates. Each connection requests a data-sync
  saturation   finds the highest rate of new connections of each server
  held         measures the memory and pings of 5,000, 10,000 and 18,000 open connections
  push         changes a flag 30 times with 10,000 and with 18,000 open connections

The server runs on one core. The load generator and the flags table use the other core.`;

const MEASUREMENTS: Readonly<Record<string, (testbed: Testbed, options: Options) => Promise<Result>>> = {
  storm: (testbed, { rates }) => measureStorm(testbed, rates),
  saturation: measureSaturation,
  held: measureHeld,
  push: measurePush,
};

const command = benchCommand('host')
  .addArgument(new Argument('[measurements...]').choices(Object.keys(MEASUREMENTS)))
  .option(
    '--runs <n>',
    'number of runs of each measurement. After several runs, a table shows the medians',
    wholeNumber,
    1,
  )
  .option('--rates <n,...>', 'new connections a second in storm', wholeNumbers, [1_000, 1_100, 1_200])
  .option(
    '--against <file>',
    'exit with 1 if a ratio to a bare server is less than half as good as in this JSON file, otherwise with 0',
    userPath,
  )
  .addHelpText('after', HELP);
const { options, args, report } = begin<Options>(command);
if (!hasTaskset()) console.error('There is no taskset: processes are NOT pinned to cores.');

const testbed = await Testbed.open();
const bounds: Bound[] = [];
try {
  for (let run = 1; run <= options.runs; run++) {
    for (const name of args.length > 0 ? args : Object.keys(MEASUREMENTS)) {
      const result = await MEASUREMENTS[name]?.(testbed, options);
      if (result) report([options.runs > 1 ? { ...result, title: `${result.title} (run ${run})` } : result]);
      bounds.push(...(result?.bounds ?? []));
    }
  }
  if (options.runs > 1) report([mediansOf(bounds)]);
  if (options.against !== undefined) {
    const halved = halveLimits(bounds, options.against).filter((bound) => !isKept(bound));
    for (const bound of halved) console.error(`bench host: less than half as good as published: ${formatBound(bound)}`);
    process.exitCode = Math.min(1, halved.length);
  }
} finally {
  await testbed.close();
}

/** The limits of several runs, with the median of each figure. */
function mediansOf(bounds: readonly Bound[]): Result {
  const byName = Map.groupBy(bounds, ({ name }) => name);
  return {
    title: 'Limits, medians of the runs',
    head: ['figure', 'median', 'runs', 'limit'],
    rows: [...byName].map(([name, all]) => {
      const { unit, atMost, atLeast } = all[0] as Bound;
      const measured = all.map((bound) => bound.measured);
      const runs = measured.map(round).join(', ');
      return [`${name}, ${unit}`, round(median(measured)), runs, atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`];
    }),
  };
}
