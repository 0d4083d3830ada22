import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import CliTable from 'cli-table3';
import { digits, thisMachine } from '../report.ts';
import type { Load, Measured } from './generator.ts';
import { bottleneckOf } from './pace.ts';
import { hasTaskset, Pinned, Table } from './servers.ts';

const HELP = `Measures the host: new connections, each followed by a data-sync, beside a bare ws server in the same run.

  npm run bench:host -- [options]

  --rates <n,…>    new connections a second (default 500,1000,1100,1200)
  --seconds <n>    how long each is kept up (default 5); rate × seconds may be 18,000 at most: one process opens 20,000 files
  --runs <n>       runs of each, interleaved (default 1)
  --json <file>    write the results there too

Server on one core, generator and table on another, where taskset is there. Exits with 1 when the generator was the
bottleneck of a run, whose figures then say nothing of the server; with 2 when called wrongly.`;

const SERVER_CORE = 0;
const GENERATOR_CORE = 1;
const MOST_CONNECTIONS = 18_000;

/** One run against one server. */
interface Run extends Measured {
  readonly server: string;
  /** Share of one core while connections were opened, and memory at the end. */
  readonly serverCpu: number;
  readonly residentMb: number;
  /** Why it is not to be counted. */
  readonly invalid?: string;
}

const { values } = parseArgs({
  options: {
    rates: { type: 'string', default: '500,1000,1100,1200' },
    seconds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '1' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(HELP);
else process.exitCode = await main();

async function main(): Promise<number> {
  const rates = values.rates.split(',').map(Number);
  const [seconds, count] = [Number(values.seconds), Number(values.runs)];
  const isPlain = [...rates, seconds, count].every((n) => Number.isInteger(n) && n > 0);
  if (!isPlain || Math.max(...rates) * seconds > MOST_CONNECTIONS) {
    console.error(
      `--rates, --seconds and --runs are whole numbers, rate × seconds at most ${MOST_CONNECTIONS}; see --help`,
    );
    return 2;
  }
  const table = await Table.start(GENERATOR_CORE);
  const results: Run[] = [];
  try {
    for (let run = 1; run <= count; run++) {
      for (const rate of rates) {
        for (const server of ['bare ws', 'host'] as const) {
          process.stderr.write(`… ${server}, ${rate} a second, run ${run} of ${count}\n`);
          results.push(await measure(server, table, rate, seconds));
        }
      }
    }
  } finally {
    await table.stop();
  }
  const machine = thisMachine();
  console.log(
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}${hasTaskset() ? '' : ', not held to cores'}\n`,
  );
  console.log(format(results));
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ machine, seconds, results }, null, 2)}\n`);
  return results.some(({ invalid }) => invalid !== undefined) ? 1 : 0;
}

async function measure(name: 'bare ws' | 'host', table: Table, rate: number, seconds: number): Promise<Run> {
  const isHost = name === 'host';
  const settings = { ...table.environment, PORT: '0', HOST: '127.0.0.1', INSIGHT_FILE: '/dev/null' };
  const file = isHost ? 'functions/host/main.ts' : 'loadtest/bench/host/reference.ts';
  const server = new Pinned(SERVER_CORE, file, [], isHost ? settings : {});
  try {
    const streamingUrl = `ws://127.0.0.1:${await server.port()}`;
    const load: Load = { streamingUrl, clientKey: table.clientKey, rate, seconds, isForUser: isHost };
    const before = server.usage();
    const generator = new Pinned(GENERATOR_CORE, 'loadtest/bench/host/generator.ts', [JSON.stringify(load)]);
    await generator.ended();
    const after = server.usage();
    const measured = JSON.parse(generator.output) as Measured;
    const invalid = bottleneckOf(measured);
    const serverCpu = (after.cpuSeconds - before.cpuSeconds) / (measured.answered / measured.achieved);
    return { ...measured, server: name, serverCpu, residentMb: after.residentMb, ...(invalid ? { invalid } : {}) };
  } finally {
    await server.stop();
  }
}

function format(results: readonly Run[]): string {
  const table = new CliTable({
    head: [
      'server',
      'new/s',
      'errors',
      'sync p50 ms',
      'p99 ms',
      'max ms',
      'connect→reply p99 ms',
      'CPU',
      'MB',
      'generator',
    ],
    style: { head: [], border: [] },
  });
  for (const { server, intended, errors, sync, total, serverCpu, residentMb, cpu, invalid } of results) {
    const times = [sync.p50, sync.p99, sync.max, total.p99].map(digits);
    const usage = [`${Math.round(serverCpu * 100)} %`, digits(residentMb)];
    const generator = invalid ? `INVALID: it ${invalid}` : `${Math.round(cpu * 100)} % CPU`;
    table.push([server, intended, errors, ...times, ...usage, generator]);
  }
  return table.toString();
}
