import { hasTaskset } from '../../../dev/support/cores.ts';
import { wholeNumber, wholeNumbers } from '../../../shared/command/numbers.ts';
import { addEnvironment } from '../../machine/flagFlips.ts';
import { SERVER_CORE } from '../../machine/pinned.ts';
import { type ServerName, Testbed } from '../../testbed/testbed.ts';
import { begin, benchCommand, progress } from '../benchmark.ts';
import { type Load, measureServer, type Server } from './measureServer.ts';
import { fetchDocuments, type OtherOptions, openOther } from './other.ts';
import { compareRounds, type Measurement, SIDES } from './rounds.ts';

interface Options extends Load, Partial<OtherOptions> {
  readonly serverSecret?: string;
  readonly rounds: number;
}

const HELP = `
The benchmark measures the two servers alternately. Each round has four steps:
  1. Open connections at --rate on a server that has just started.
  2. Hold these connections open, with pings.
  3. Open connections at --rate again, on the running server.
  4. Open as many connections a second as the server accepts.

Flagwire's host restarts before each round, and runs on one core. The other server restarts only with --restart.
With --server-secret, Flagwire's host serves the flags of the other server. Otherwise it serves the five flags of FeatBit's benchmark.

Limit the other server to one core too:  taskset -acp ${SERVER_CORE} <pid>  or  docker update --cpuset-cpus ${SERVER_CORE} <container>`;

const command = benchCommand('beside')
  .argument('[streaming-url]', 'ws:// address of the other server (default: Flagwire’s host on Node)')
  .option('--client-secret <secret>', 'client-side SDK key of an environment on the other server')
  .option(
    '--server-secret <secret>',
    'server-side SDK key of the same environment. Flagwire’s host then serves a copy of its flags',
  )
  .option(
    '--pid <n>',
    'process id of the other server on this machine, to measure its CPU time and memory',
    wholeNumber,
  )
  .option(
    '--restart <command>',
    'command that restarts the other server. If the process id changes, print the new one as the last line',
  )
  .option('--rate <n>', 'new connections a second in steps 1 and 3', wholeNumber, 1_100)
  .option('--connections <n>', 'number of connections to open and hold', wholeNumber, 17_600)
  .option('--hold <seconds>', 'time to hold the connections', wholeNumber, 20)
  .option('--saturation <n,...>', 'concurrent handshakes in step 4', wholeNumbers, [64, 256])
  .option(
    '--saturation-seconds <n>',
    'time to count new connections in step 4, after a warm-up of the same length',
    wholeNumber,
    5,
  )
  .option('--rounds <n>', 'number of rounds', wholeNumber, 3)
  .addHelpText('after', HELP);
const { options, args, report } = begin<Options>(command, ['--client-secret', '--server-secret']);

try {
  const testbed = await Testbed.open();
  try {
    const { other, ours, notes } = await openBoth(testbed, args[0]);
    const measurements: Measurement[] = [];
    for (let round = 1; round <= options.rounds; round++) {
      // The order alternates, because the state of the machine changes during a round.
      for (const side of round % 2 === 1 ? SIDES : SIDES.toReversed()) {
        const server = side === 'ours' ? ours : other;
        progress(`round ${round} of ${options.rounds}: ${server.name}`);
        measurements.push(...(await server.measure(options, round)).map((found) => ({ round, side, ...found })));
      }
    }
    const names = { other: other.name, ours: ours.name };
    report(compareRounds(measurements, names, notes), { names, notes, visits: measurements });
  } finally {
    await testbed.close();
  }
} catch (error) {
  console.error(`bench beside: ${(error as Error).message}`);
  process.exitCode = 2;
}

/** @throws Error if the other server does not respond, or if its client secret is missing */
async function openBoth(testbed: Testbed, url: string | undefined) {
  if (url === undefined) {
    const [other, ours] = [openOurs(testbed, 'host on Node'), openOurs(testbed, 'host')];
    return { other, ours, notes: ours.notes };
  }
  const { clientSecret, serverSecret } = options;
  if (clientSecret === undefined) throw new Error(`${url} takes the --client-secret of an environment there.`);
  const other = await openOther(url, { ...options, clientSecret });
  const documents = serverSecret === undefined ? undefined : await fetchDocuments(other.name, serverSecret);
  const copied = documents && {
    key: await addEnvironment(testbed.table, `beside-${Date.now()}`, documents),
    flags: documents.filter(({ kind, document }) => kind === 'flag' && !document.isArchived).length,
  };
  const ours = openOurs(testbed, 'host', copied);
  const note = copied
    ? `Both serve the other server's ${other.flags} flags.`
    : `The other server's answers hold ${other.flags} flags, those of our host the 5 of FeatBit's benchmark: give --server-secret.`;
  return { other, ours, notes: [note, ...other.notes, ...ours.notes] };
}

/** Our host, which restarts for each round. @param copied the environment to serve instead of the benchmark's */
function openOurs(testbed: Testbed, name: ServerName, copied?: { key: string; flags: number }): Server {
  return {
    name: name === 'host' ? 'Flagwire, host on Bun' : 'Flagwire, host on Node',
    notes: hasTaskset() ? [] : ['UNEQUAL: there is no taskset here, so nothing was held to a core.'],
    measure: (load) =>
      testbed.withServer(name, ({ process: { pid }, target }) =>
        measureServer({ ...target, ...copied }, pid, load, true),
      ),
  };
}
