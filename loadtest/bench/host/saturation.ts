import { median } from '../../../infra/measure/quantile.ts';
import type { Saturated } from './load.ts';
import { type Result, round } from './result.ts';
import type { ServerName, Testbed } from './testbed.ts';

const servers: readonly ServerName[] = ['bare ws', 'host'];

/** Always so many on the way that a server never waits for the generator, few enough for its answers to stay quick. */
const LOAD = { concurrency: 128, held: 17_000, warmUpMs: 4_000, measureMs: 5_000 };

const ROUNDS = 3;

/** As many new connections a second as each server takes, in turns; the medians are compared. */
export async function measureSaturation(testbed: Testbed): Promise<Result> {
  const found = new Map<ServerName, (Saturated & { serverCpu: number })[]>(servers.map((name) => [name, []]));
  for (let round = 1; round <= ROUNDS; round++) {
    for (const name of servers) {
      process.stderr.write(`… saturation: ${name}, round ${round} of ${ROUNDS}\n`);
      await testbed.withServer(name, async ({ process: server, target }) => {
        await testbed.withGenerators(target, 1, async ([generator]) => {
          const before = server.usage().cpuSeconds;
          const load = await generator?.ask('saturate', LOAD);
          const seconds = (LOAD.warmUpMs + LOAD.measureMs) / 1_000;
          if (load) found.get(name)?.push({ ...load, serverCpu: (server.usage().cpuSeconds - before) / seconds });
        });
      });
    }
  }
  const medianOf = (name: ServerName, of: (load: Saturated & { serverCpu: number }) => number) =>
    median((found.get(name) ?? []).map(of));
  const perSecond = (name: ServerName) => medianOf(name, (load) => load.perSecond);
  const rows = servers.map((name) => [
    name,
    round(perSecond(name)),
    `${round(perSecond(name) / perSecond('bare ws'))}×`,
    found.get(name)?.reduce((sum, { errors }) => sum + errors, 0) ?? 0,
    round(medianOf(name, ({ sync }) => sync.p50)),
    round(medianOf(name, ({ sync }) => sync.p99)),
    `${round(100 * medianOf(name, ({ serverCpu }) => serverCpu))} %`,
    `${round(100 * medianOf(name, ({ cpu }) => cpu))} %`,
  ]);
  const host = found.get('host') ?? [];
  const invalid = [...found].flatMap(([name, loads]) => [
    // Where the server has time left, it was not the bottleneck.
    ...(medianOf(name, ({ serverCpu }) => serverCpu) < 0.8 ? [`${name}: it used less than 80 % of its core`] : []),
    ...loads.flatMap(({ reasons }) => reasons.map((reason) => `${name}: ${reason}`)),
  ]);
  return {
    title: 'Saturation: new connections a second',
    head: ['server', 'new/s', 'ratio', 'errors', 'sync p50 ms', 'p99', 'CPU', 'generator CPU'],
    rows,
    bounds: [
      { name: 'host against bare ws', measured: perSecond('host') / perSecond('bare ws'), unit: '×', atLeast: 0.4 },
      { name: 'its data-sync P99', measured: Math.max(...host.map(({ sync }) => sync.p99)), unit: 'ms', atMost: 200 },
      { name: 'its errors', measured: host.reduce((sum, { errors }) => sum + errors, 0), unit: '', atMost: 0 },
    ],
    invalid,
    notes: [
      `${LOAD.concurrency} connections are on their way at any time, ${LOAD.held} stay open, the oldest goes first; medians of ${ROUNDS} rounds in turns.`,
    ],
    charts: [],
  };
}
