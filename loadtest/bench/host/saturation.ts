import { median } from '../../../shared/statistics/quantile.ts';
import type { Saturated } from '../../testbed/load.ts';
import { SERVERS, type ServerName, type Testbed } from '../../testbed/testbed.ts';
import { type Result, round } from './result.ts';

const servers = Object.keys(SERVERS) as ServerName[];

/** Always so many on the way that a server never waits for the generator, few enough for its answers to stay quick. */
const LOAD = { concurrency: 256, held: 17_000, warmUpMs: 4_000, measureMs: 5_000 };

const ROUNDS = 3;

/** What the host must carry, as a share of what a bare server carries in the same run. */
const bounds: readonly (readonly [ServerName, ServerName, number])[] = [
  ['host', 'bare ws', 1.7],
  ['host', 'bare Bun', 0.5],
  ['host on Node', 'bare ws', 0.4],
];

/** From here on the generator, and not the server, may be what limits a run. */
const GENERATOR_FULL = 0.95;

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
    ...(['bare ws', 'bare Bun'] as const).map((bare) => `${round(perSecond(name) / perSecond(bare))}×`),
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
    ...(medianOf(name, ({ cpu }) => cpu) > GENERATOR_FULL ? [`${name}: the generator's core was full`] : []),
    ...loads.flatMap(({ reasons }) => reasons.map((reason) => `${name}: ${reason}`)),
  ]);
  return {
    title: 'Saturation: new connections a second',
    head: ['server', 'new/s', 'to bare ws', 'to bare Bun', 'errors', 'sync p50 ms', 'p99', 'CPU', 'generator CPU'],
    rows,
    bounds: [
      ...bounds.map(([name, bare, atLeast]) => ({
        name: `${name} against ${bare}`,
        measured: perSecond(name) / perSecond(bare),
        unit: '×',
        atLeast,
      })),
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
