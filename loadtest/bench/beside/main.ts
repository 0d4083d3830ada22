import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { wholeNumber, wholeNumbers } from '../../../shared/command/numbers.ts';
import { SERVER_CORE } from '../../machine/pinned.ts';
import { ended, stampOf, typed } from '../../measure/stamp.ts';
import { renderHtml } from '../../report/html.ts';
import { renderMarkdown } from '../../report/markdown.ts';
import { renderText } from '../../report/text.ts';
import { Testbed } from '../../testbed/testbed.ts';
import { type Beside, besideReport } from './report.ts';
import { leftOut, type Side, type Visit } from './rounds.ts';
import { copyFlags, openOther, openOurs, type Server } from './servers.ts';
import type { Load } from './visit.ts';

interface Options extends Load {
  readonly clientSecret?: string;
  readonly serverSecret?: string;
  readonly pid?: number;
  readonly restart?: string;
  readonly rounds: number;
  readonly out: string;
}

/** Options whose values are never told. */
const SECRETS = ['--client-secret', '--server-secret'];

const HELP = `
Measured of both, in turn, round after round: new connections at the rate from cold, those connections held with pings, the rate again,
and as many new connections as the server takes. Our host starts afresh each round, on one core, its table on another behind
a cache. The other server is cold in the first round only, as it was found, unless --restart says how to start it again.

With --server-secret our host is given the other's flags, and both do the same work. Without it, it has the five of FeatBit's benchmark.
Hold the other server to one core too:  taskset -acp ${SERVER_CORE} <pid>  or  docker update --cpuset-cpus ${SERVER_CORE} <container>

Exit code: 0 done, 1 the generator was the bottleneck of a round, which is left out, 2 wrong arguments, or the other server is not there.`;

const program = npmCommand(
  'bench:beside',
  'Measures a server that speaks FeatBit’s protocol beside our host, in the same run.',
)
  .argument('[streaming-url]', 'ws:// address of the other server (default: our host on Node, beside the one on Bun)')
  .option('--client-secret <secret>', 'of an environment of the other server, for client-side SDKs')
  .option('--server-secret <secret>', 'of the same environment, for server-side SDKs: our host is given its flags')
  .option(
    '--pid <n>',
    'process of the other server, where it is on this machine: its processor time and memory',
    wholeNumber,
  )
  .option('--restart <command>', 'makes the other server start again; its last line of output may be the new process')
  .option('--rate <n>', 'new connections a second, from cold and warm', wholeNumber, 1_100)
  .option('--connections <n>', 'how many of them, which are held', wholeNumber, 17_600)
  .option('--hold <seconds>', 'for how long they are held', wholeNumber, 20)
  .option('--saturation <n,...>', 'connections on their way at any time', wholeNumbers, [64, 256])
  .option('--saturation-seconds <n>', 'for how long new ones are counted, after as long to get there', wholeNumber, 5)
  .option('--rounds <n>', 'rounds', wholeNumber, 3)
  .option('--out <folder>', 'where beside.json, beside.md and beside.html go', 'dist/bench-beside')
  .addHelpText('after', HELP)
  .parse();

try {
  process.exitCode = await main(program.args[0], program.opts<Options>());
} catch (error) {
  console.error(`bench:beside: ${(error as Error).message}`);
  process.exitCode = 2;
}

async function main(url: string | undefined, options: Options): Promise<number> {
  const { rounds, out, rate, connections, hold, saturation, saturationSeconds } = options;
  const load: Load = { rate, connections, hold, saturation, saturationSeconds };
  const stamp = stampOf(typed('bench:beside', process.argv.slice(2), SECRETS));
  const testbed = await Testbed.open();
  try {
    const { other, ours, notes } = await openBoth(testbed, url, options);
    const visits: Visit[] = [];
    for (let round = 1; round <= rounds; round++) {
      const sides: [Side, Server][] = [
        ['other', other],
        ['ours', ours],
      ];
      // Who comes first meets another machine than who comes second.
      for (const [side, server] of round % 2 === 1 ? sides : sides.reverse()) {
        console.error(`… round ${round} of ${rounds}: ${server.name}`);
        visits.push(...(await server.visit(load, round)).map((found) => ({ round, side, ...found })));
      }
    }
    const names = { other: other.name, ours: ours.name };
    write(out, { stamp: ended(stamp), names, parameters: { ...load, rounds }, notes, visits });
    return leftOut(visits).length > 0 ? 1 : 0;
  } finally {
    await testbed.close();
  }
}

/** @throws Error when the other server is not there, or its client secret is missing */
async function openBoth(
  testbed: Testbed,
  url: string | undefined,
  { clientSecret, serverSecret, pid, restart }: Options,
): Promise<{ other: Server; ours: Server; notes: string[] }> {
  if (url === undefined) {
    const [other, ours] = [openOurs(testbed, 'host on Node'), openOurs(testbed, 'host')];
    return { other, ours, notes: [...ours.notes] };
  }
  if (clientSecret === undefined) throw new Error(`${url} takes the --client-secret of an environment there.`);
  const options = { clientSecret, ...(pid !== undefined && { pid }), ...(restart !== undefined && { restart }) };
  const other = await openOther(testbed, url, options);
  const copied = serverSecret === undefined ? undefined : await copyFlags(testbed, url, serverSecret);
  const ours = openOurs(testbed, 'host', copied);
  const note = copied
    ? `Both serve the other server's ${other.flags} flags.`
    : `Answers of the other server hold ${other.flags} flags, those of our host the 5 of FeatBit's benchmark: with --server-secret they hold the same.`;
  return { other, ours, notes: [note, ...other.notes, ...ours.notes] };
}

function write(out: string, result: Beside): void {
  const report = besideReport(result);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'beside.json'), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(join(out, 'beside.md'), renderMarkdown(report));
  writeFileSync(join(out, 'beside.html'), renderHtml(report));
  console.log(renderText(report));
  console.log(`Everything is in ${relative('.', out)}`);
}
