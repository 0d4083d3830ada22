import { wholeNumber, wholeNumbers } from '../../../shared/command/numbers.ts';
import { SERVER_CORE } from '../../machine/pinned.ts';
import { Testbed } from '../../testbed/testbed.ts';
import { begin, benchCommand, progress } from '../benchmark.ts';
import { compareVisits, type Side, type Visit } from './rounds.ts';
import { copyFlags, openOther, openOurs, type Server } from './servers.ts';
import type { Load } from './visit.ts';

interface Options extends Load {
  readonly clientSecret?: string;
  readonly serverSecret?: string;
  readonly pid?: number;
  readonly restart?: string;
  readonly rounds: number;
}

const HELP = `
Both are measured in turn, round after round: new connections at the rate from cold, those connections held with pings, the rate
again, and as many new connections as the server takes. Our host starts afresh each round, on one core, its table on another behind
a cache. The other server is cold in the first round only, unless --restart says how to start it again.

With --server-secret our host serves the other's flags. Without it, it serves the five of FeatBit's benchmark.
Pin the other server to one core too:  taskset -acp ${SERVER_CORE} <pid>  or  docker update --cpuset-cpus ${SERVER_CORE} <container>`;

const command = benchCommand('beside')
  .argument('[streaming-url]', 'ws:// address of the other server (default: our host on Node)')
  .option('--client-secret <secret>', 'of an environment of the other server, for client-side SDKs')
  .option('--server-secret <secret>', 'of the same environment, for server-side SDKs: our host serves its flags')
  .option('--pid <n>', 'process of the other server on this machine: its processor time and memory', wholeNumber)
  .option('--restart <command>', 'starts the other server again; its last line of output may be the new process')
  .option('--rate <n>', 'new connections a second, from cold and warm', wholeNumber, 1_100)
  .option('--connections <n>', 'how many of them, which are held', wholeNumber, 17_600)
  .option('--hold <seconds>', 'for how long they are held', wholeNumber, 20)
  .option('--saturation <n,...>', 'connections in flight', wholeNumbers, [64, 256])
  .option('--saturation-seconds <n>', 'for how long new ones are counted, after as long to warm up', wholeNumber, 5)
  .option('--rounds <n>', 'rounds', wholeNumber, 3)
  .addHelpText('after', HELP);
const { options, args, report } = begin<Options>(command, ['--client-secret', '--server-secret']);

try {
  const testbed = await Testbed.open();
  try {
    const { other, ours, notes } = await openBoth(testbed, args[0]);
    const visits: Visit[] = [];
    for (let round = 1; round <= options.rounds; round++) {
      const sides: [Side, Server][] = [
        ['other', other],
        ['ours', ours],
      ];
      // The first server of a round meets another machine than the second.
      for (const [side, server] of round % 2 === 1 ? sides : sides.reverse()) {
        progress(`round ${round} of ${options.rounds}: ${server.name}`);
        visits.push(...(await server.visit(options, round)).map((found) => ({ round, side, ...found })));
      }
    }
    const names = { other: other.name, ours: ours.name };
    report(compareVisits(visits, names, notes), { names, notes, visits });
  } finally {
    await testbed.close();
  }
} catch (error) {
  console.error(`bench beside: ${(error as Error).message}`);
  process.exitCode = 2;
}

/** @throws Error when the other server is not there, or its client secret is missing */
async function openBoth(testbed: Testbed, url: string | undefined) {
  if (url === undefined) {
    const [other, ours] = [openOurs(testbed, 'host on Node'), openOurs(testbed, 'host')];
    return { other, ours, notes: ours.notes };
  }
  const { clientSecret, serverSecret } = options;
  if (clientSecret === undefined) throw new Error(`${url} takes the --client-secret of an environment there.`);
  const other = await openOther(url, { ...options, clientSecret });
  const copied = serverSecret === undefined ? undefined : await copyFlags(testbed, url, serverSecret);
  const ours = openOurs(testbed, 'host', copied);
  const note = copied
    ? `Both serve the other server's ${other.flags} flags.`
    : `The other server's answers hold ${other.flags} flags, those of our host the 5 of FeatBit's benchmark: give --server-secret.`;
  return { other, ours, notes: [note, ...other.notes, ...ours.notes] };
}
