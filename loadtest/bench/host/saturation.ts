import { withCpu } from '../../../dev/support/usage.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import type { saturate } from '../../testbed/load.ts';
import {
  GENERATOR_LIMITS,
  LEAST_SATURATED,
  SERVERS,
  type ServerName,
  type Testbed,
  withGenerators,
} from '../../testbed/testbed.ts';
import { atMost, none, progress, type Result, round, TO_BARE } from '../benchmark.ts';

const servers = Object.keys(SERVERS) as ServerName[];

/** Enough concurrent handshakes that a server never waits for the generator, and few enough for fast replies. */
const LOAD = { concurrency: 256, held: 17_000, warmUpMs: 4_000, measureMs: 5_000 };

const ROUNDS = 3;

/** The bare server that each server is compared with. */
const BARE = { 'bare ws': 'bare ws', 'bare Bun': 'bare Bun', 'host on Node': 'bare ws', host: 'bare Bun' } as const;

/** Minimum new connections of the host for each CPU second, as a share of the bare server's in the same run. */
const BOUNDS: readonly (readonly [ServerName, number])[] = [
  ['host', 0.75],
  ['host on Node', 0.7],
];

type Round = Awaited<ReturnType<typeof saturate>> & { readonly serverCpu: number };

/** Measures the maximum rate of new connections of each server, in alternating rounds. */
export async function measureSaturation(testbed: Testbed): Promise<Result> {
  const found = Object.fromEntries(servers.map((name) => [name, [] as Round[]])) as Record<ServerName, Round[]>;
  for (let round = 1; round <= ROUNDS; round++) {
    for (const name of servers) {
      progress(`saturation: ${name}, round ${round} of ${ROUNDS}`);
      await testbed.withServer(name, ({ process: { pid }, target }) =>
        withGenerators(target, 1, async ([generator]) => {
          const [load, serverCpu] = await withCpu(pid, generator.ask('saturate', LOAD));
          found[name].push({ ...load, serverCpu });
        }),
      );
    }
  }
  const medianOf = (name: ServerName, of: (load: Round) => number) => median(found[name].map(of));
  const perCpuSecond = (name: ServerName) => medianOf(name, (load) => load.perSecond / load.serverCpu);
  const toBare = (name: ServerName) => perCpuSecond(name) / perCpuSecond(BARE[name]);
  const invalid = servers.flatMap((name) => [
    ...(medianOf(name, ({ serverCpu }) => serverCpu) < LEAST_SATURATED ? [`${name}: its core was not full`] : []),
    ...(medianOf(name, ({ cpu }) => cpu) > GENERATOR_LIMITS.cpu ? [`${name}: the generator's core was full`] : []),
    ...found[name].flatMap(({ reasons }) => reasons.map((reason) => `${name}: ${reason}`)),
  ]);
  const errors = sumOf(found.host, (each) => each.errors);
  const slowest = Math.max(...found.host.map(({ sync }) => sync.p99));
  const times = ['errors', 'sync p50 ms', 'p99', 'CPU', 'generator CPU'];
  return {
    title: 'Saturation: new connections a second',
    head: ['server', 'new/s', 'new each CPU second', 'to its bare server', ...times],
    rows: servers.map((name) => [
      name,
      round(medianOf(name, (load) => load.perSecond)),
      round(perCpuSecond(name)),
      `${round(toBare(name))}×`,
      sumOf(found[name], ({ errors }) => errors),
      round(medianOf(name, ({ sync }) => sync.p50)),
      round(medianOf(name, ({ sync }) => sync.p99)),
      `${round(100 * medianOf(name, ({ serverCpu }) => serverCpu))} %`,
      `${round(100 * medianOf(name, ({ cpu }) => cpu))} %`,
    ]),
    bounds: [
      ...BOUNDS.map(([name, atLeast]) => {
        return { name: `new connections of ${name} each CPU second`, measured: toBare(name), unit: TO_BARE, atLeast };
      }),
      atMost(200, 'its data-sync P99', slowest, 'ms'),
      none('its errors', errors),
    ],
    invalid,
    notes: [
      `${LOAD.concurrency} connections in flight, the last ${LOAD.held} stay open; medians of ${ROUNDS} rounds in turns.`,
    ],
  };
}
