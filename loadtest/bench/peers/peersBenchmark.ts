import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument } from 'commander';
import { hasTaskset, pinMyself } from '../../../dev/support/machine.ts';
import { endInfo } from '../../../dev/support/runInfo.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { userPath } from '../../../shared/command/userPath.ts';
import { startCachedTable } from '../../machine/emulatorProcess.ts';
import { GENERATOR_CORE } from '../../machine/pinned.ts';
import { writeJson } from '../../report/write.ts';
import { begin, benchCommand, progressOf } from '../benchmark.ts';
import { FIGURE_NAMES, FIGURES, formatFigure, makeFigures, type Samples, type Sizes } from './figures.ts';
import { FULL, measurePeer, QUICK } from './measurePeer.ts';
import type { Entry, Peer } from './peer.ts';
import { OURS, PEERS, REFERENCE } from './peers.ts';
import { measureSizes, SIZES } from './sizes.ts';

interface Options {
  readonly quick?: boolean;
  readonly sizes?: boolean;
  readonly against?: string;
  readonly rounds?: number;
  readonly entries?: string;
}

const HELP = `
The servers run one after another, in three rounds. A round takes about two minutes for each server. Each server runs on one core, and
is warmed up for 25 s. The load generator and Flagwire's flags table use the other core. The benchmark always measures bare-bun, because
the page shows ratios to it.
If a measurement fails, the benchmark lists it and exits with 3.

To measure Unleash Edge, install it: cargo install --locked unleash-edge --version 20.1.0
If it is not in PATH, set UNLEASH_EDGE to its path. GO_FEATURE_FLAG_RELAY is the path of GO Feature Flag's relay proxy.
FEATBIT_SERVER is the folder of FeatBit's evaluation server. docs/results/peers.md describes how to build it, and how to add a server.
npm run docs writes the figures to that page.`;

const command = benchCommand('peers')
  .addArgument(
    new Argument('[entries...]', 'servers to measure (default: all)').choices(PEERS.map(({ entry }) => entry)),
  )
  .option('--quick', 'one round with low load, to test the server adapters')
  .option(
    '--sizes',
    'also measure Flagwire at several rates and numbers of connections, for sizes.json (about 28 minutes)',
  )
  .option(
    '--against <file>',
    'exit with 1 if Flagwire opens less than half as many new clients as in this JSON file, compared with bare Bun',
    userPath,
  )
  .option('--rounds <n>', 'number of rounds (default: 3, or 1 with --quick)', wholeNumber)
  .option(
    '--entries <folder>',
    'folder for one results file per server (default: docs/results/peers, or dist/bench/peers with --quick)',
    userPath,
  )
  .addHelpText('after', HELP);
const { options, args, info, report } = begin<Options>(command);
const folder = options.entries ?? (options.quick ? 'dist/bench/peers' : 'docs/results/peers');

const isNamed = ({ entry }: Peer) => args.includes(entry);
const wanted = PEERS.filter((peer) => args.length === 0 || isNamed(peer));
const missing = wanted.flatMap((peer) => {
  const why = peer.missing?.();
  return why === undefined ? [] : [{ peer, why }];
});
if (missing.some(({ peer }) => isNamed(peer))) {
  for (const { why } of missing) console.error(`bench peers: ${why}`);
  process.exitCode = 2;
} else await measure(wanted.filter((peer) => !missing.some((each) => each.peer === peer)));

async function measure(chosen: readonly Peer[]): Promise<void> {
  if (!hasTaskset()) console.error('There is no taskset: processes are NOT pinned to cores.');
  const load = options.quick ? QUICK : FULL;
  const rounds = options.rounds ?? load.rounds;
  const peers = chosen.includes(REFERENCE) ? chosen : [...chosen, REFERENCE];
  const found = new Map(peers.map((peer) => [peer, { version: '', samples: {} as Samples, failed: [] as string[] }]));
  pinMyself(GENERATOR_CORE);
  const emulator = await startCachedTable();
  const isSized = options.sizes === true && peers.includes(OURS);
  const step = progressOf(rounds * peers.length + (isSized ? SIZES : 0));
  let sizes: Sizes | undefined;
  try {
    for (let round = 1; round <= rounds; round++) {
      // The order alternates, because the state of the machine changes during a round.
      for (const peer of round % 2 === 1 ? peers : peers.toReversed()) {
        step(peer.name);
        const { version, samples, failed } = await measurePeer(peer, emulator, load);
        const mine = found.get(peer);
        if (!mine) continue;
        mine.version = version;
        for (const [name, sample] of samples) mine.samples[name] = [...(mine.samples[name] ?? []), sample];
        mine.failed.push(...failed.map((why) => `round ${round}, ${why}`));
      }
    }
    if (isSized) {
      const { failed, ...figures } = await measureSizes(OURS, emulator, step);
      sizes = { stamp: endInfo(info), ...figures };
      found.get(OURS)?.failed.push(...failed);
    }
  } finally {
    await emulator.stop();
  }
  const stamp = endInfo(info);
  const bare = found.get(REFERENCE)?.samples;
  const entries = [...found].map(([peer, { version, samples, failed }]): Entry => {
    const { entry, name, role } = peer;
    return { entry, name, role, version, stamp, figures: makeFigures(samples, bare), failed };
  });
  for (const entry of entries.filter(({ entry }) => chosen.some((peer) => peer.entry === entry)))
    writeJson(join(folder, `${entry.entry}.json`), entry);
  if (sizes) writeJson(join(folder, 'sizes.json'), sizes);
  if (options.against !== undefined) compareWith(options.against, entries);
  report([
    {
      title: 'Our host compared with other servers',
      head: ['', ...entries.map(({ name }) => name)],
      rows: FIGURE_NAMES.map((name) => [
        FIGURES[name].label,
        ...entries.map((entry) => formatFigure(entry.figures[name])),
      ]),
      invalid: entries.flatMap(({ name, failed }) => failed.map((why) => `${name}: ${why}`)),
      notes: [...missing.map(({ peer, why }) => `NOT measured: ${peer.name}: ${why}`), `Files are in ${folder}.`],
    },
  ]);
}

/** Sets the exit code if Flagwire opens less than half as many new clients as an earlier run, both as multiples of bare Bun. */
function compareWith(path: string, entries: readonly Entry[]): void {
  const ratio = (entry: Entry | undefined) => entry?.figures.newClientsPerSecond?.toBareBun ?? Number.NaN;
  const before = ratio(JSON.parse(readFileSync(path, 'utf8')) as Entry);
  const now = ratio(entries.find(({ entry }) => entry === OURS.entry));
  if (now >= before / 2) return;
  console.error(`bench peers: new clients compared with bare Bun: ${now}, less than half of ${before} in ${path}`);
  process.exitCode = 1;
}
