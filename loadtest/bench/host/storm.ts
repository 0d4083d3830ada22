import { bottlenecksOf } from '../../measure/bottlenecks.ts';
import { published } from '../../results/published.ts';
import { SERVERS, type ServerName, type Testbed } from '../../testbed/testbed.ts';
import { type Result, round } from './result.ts';

/** A process opens 20,000 files at most here: with more connections the last would be refused. */
const MOST_CONNECTIONS = 18_000;
/** What is measured is a running service: so many connections take the code of the host to where it is compiled for good. */
const WARM_UP = { rate: 1_000, count: 15_000 };
const RAMP_SECONDS = 20;

/** The generator is one process, with a core for itself and the table. */
const GENERATOR_LIMITS = { cpu: 0.95, lagMs: 50 };

const servers = Object.keys(SERVERS) as ServerName[];

/** FeatBit's benchmark: new connections at its three rates, each followed by a data-sync and held, a fresh server for each. */
export async function measureStorm(testbed: Testbed, rates: readonly number[]): Promise<Result> {
  const rows: (string | number)[][] = [];
  const bounds: Result['bounds'][number][] = [];
  const invalid: string[] = [];
  const cpus = new Map<ServerName, number>();
  const curves: { name: string; points: [number, number][] }[] = [];
  for (const rate of rates) {
    for (const name of servers) {
      const count = Math.min(MOST_CONNECTIONS, rate * RAMP_SECONDS);
      process.stderr.write(`… storm: ${name}, ${rate} a second, ${count} in all\n`);
      await testbed.withServer(name, async ({ process: server, target }) => {
        await testbed.withGenerators(target, 1, async ([generator]) => {
          await generator?.ask('storm', WARM_UP);
        });
        await testbed.withGenerators(target, 1, async ([generator]) => {
          const before = server.usage();
          const startedAt = performance.now();
          const load = await generator?.ask('storm', { rate, count });
          if (!load) return;
          const { cpuSeconds, peakResident } = server.usage();
          const cpu = (cpuSeconds - before.cpuSeconds) / ((performance.now() - startedAt) / 1_000);
          const { sync, total, errors, reasons } = load;
          for (const reason of [...bottlenecksOf(load, GENERATOR_LIMITS), ...reasons])
            invalid.push(`${name} at ${rate}/s: ${reason}`);
          const times = [sync.p50, sync.p99, sync.max, total.p99].map(round);
          const usage = [`${round(cpu * 100)} %`, round(peakResident / 2 ** 20), `${round(load.cpu * 100)} %`];
          cpus.set(name, cpu);
          rows.push([name, rate, round(load.achieved), errors, ...times, ...usage]);
          curves.push({
            name: `${name}, ${rate}/s`,
            points: sync.curve.map(([share, ms]) => [share * 100, ms]),
          });
          if (name === 'host') {
            bounds.push({ name: `data-sync P99 at ${rate}/s`, measured: sync.p99, unit: 'ms', atMost: 5 });
            bounds.push({ name: `its median at ${rate}/s`, measured: sync.p50, unit: 'ms', atMost: 2.5 });
            const toBare = cpu / (cpus.get('bare Bun') ?? Number.NaN);
            bounds.push({ name: `its CPU to bare Bun's at ${rate}/s`, measured: toBare, unit: '×', atMost: 2 });
            bounds.push({ name: `errors at ${rate}/s`, measured: errors, unit: '', atMost: 0 });
          }
        });
      });
    }
  }
  return {
    title: 'New connections, each followed by a data-sync',
    head: [
      'server',
      'new/s',
      'reached',
      'errors',
      'sync p50 ms',
      'p99',
      'max',
      'connect→reply p99',
      'CPU',
      'peak MB',
      'generator CPU',
    ],
    rows,
    bounds,
    invalid,
    notes: [
      `A ramp of ${RAMP_SECONDS} s, or ${MOST_CONNECTIONS} connections where that is sooner: no process may open more files.`,
      `Before it ${WARM_UP.count} connections at ${WARM_UP.rate}/s come and go: what is measured is a running service, not its first seconds.`,
      'FeatBit published P99 on a t2.micro, by another generator over a network: a landmark, not the same machine.',
    ],
    charts: [
      {
        title: 'Data-sync: share of answers (%) against time (ms)',
        x: 'percentile',
        y: 'ms',
        isLogY: true,
        series: curves,
        levels: published.map(({ rate, p99 }) => ({ name: `FeatBit's published P99 at ${rate}/s`, at: p99 })),
      },
    ],
  };
}
