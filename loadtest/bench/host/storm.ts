import { withCpu } from '../../../dev/support/usage.ts';
import { findBottlenecks } from '../../measure/bottlenecks.ts';
import { GENERATOR_LIMITS, SERVERS, type ServerName, type Testbed, withGenerators } from '../../testbed/testbed.ts';
import { atMost, type Bound, none, progress, type Result, round } from '../benchmark.ts';

/** A process can open at most 20,000 files on our machine. */
const MOST_CONNECTIONS = 18_000;
/** Connections before the measurement, until the code of the server is compiled. */
const WARM_UP = { rate: 1_000, count: 15_000 };
const RAMP_SECONDS = 20;

/** Runs FeatBit's benchmark: opens connections at its three rates, each with a data-sync, on a new server for each rate. */
export async function measureStorm(testbed: Testbed, rates: readonly number[]): Promise<Result> {
  const rows: (string | number)[][] = [];
  const bounds: Bound[] = [];
  const invalid: string[] = [];
  for (const rate of rates) {
    /** Data-sync times and CPU use of the bare server. */
    const bare = { p50: Number.NaN, p99: Number.NaN, cpu: Number.NaN };
    for (const name of Object.keys(SERVERS) as ServerName[]) {
      const count = Math.min(MOST_CONNECTIONS, rate * RAMP_SECONDS);
      progress(`storm: ${name}, ${rate} a second, ${count} in all`);
      await testbed.withServer(name, async ({ process: server, target }) => {
        await withGenerators(target, 1, ([generator]) => generator.ask('storm', WARM_UP));
        const [load, cpu] = await withGenerators(target, 1, ([generator]) =>
          withCpu(server.pid, generator.ask('storm', { rate, count })),
        );
        const { sync, total, errors, reasons } = load;
        for (const reason of [...findBottlenecks(load, GENERATOR_LIMITS), ...reasons])
          invalid.push(`${name} at ${rate}/s: ${reason}`);
        const times = [sync.p50, sync.p99, sync.max, total.p99].map(round);
        const peak = round(server.usage().peakResident / 2 ** 20);
        const usage = [`${round(cpu * 100)} %`, peak, `${round(load.cpu * 100)} %`];
        rows.push([name, rate, round(load.achieved), errors, ...times, ...usage]);
        if (name === 'bare Bun') Object.assign(bare, { p50: sync.p50, p99: sync.p99, cpu });
        if (name !== 'host') return;
        bounds.push(
          atMost(4, `median of data-syncs at ${rate}/s`, sync.p50 / bare.p50),
          atMost(6, `P99 of data-syncs at ${rate}/s`, sync.p99 / bare.p99),
          atMost(1.8, `processor at ${rate}/s`, cpu / bare.cpu),
          none(`errors at ${rate}/s`, errors),
        );
      });
    }
  }
  const times = ['sync p50 ms', 'p99', 'max', 'connect→reply p99'];
  return {
    title: 'New connections, each followed by a data-sync',
    head: ['server', 'new/s', 'reached', 'errors', ...times, 'CPU', 'peak MB', 'generator CPU'],
    rows,
    bounds,
    invalid,
    notes: [
      `A ramp of ${RAMP_SECONDS} s, of at most ${MOST_CONNECTIONS} connections, after a warm-up of ${WARM_UP.count}.`,
    ],
  };
}
