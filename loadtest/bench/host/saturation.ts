import { withCpu } from '../../../dev/support/usage.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import type { SaturationResult } from '../../testbed/load.ts';
import {
  GENERATOR_LIMITS,
  LEAST_SATURATED,
  SERVERS,
  type ServerName,
  type Testbed,
  withGenerators,
} from '../../testbed/testbed.ts';
import { progress, type Result, round, TO_BARE } from '../benchmark.ts';

const servers = Object.keys(SERVERS) as ServerName[];

/** So many in flight that a server never waits for the generator, and so few that its answers stay quick. */
const LOAD = { concurrency: 256, held: 17_000, warmUpMs: 4_000, measureMs: 5_000 };

const ROUNDS = 3;

/** The bare server that each server is compared with. */
const BARE = { 'bare ws': 'bare ws', 'bare Bun': 'bare Bun', 'host on Node': 'bare ws', host: 'bare Bun' } as const;

/** What the host must take for each second of processor, as a share of what the bare server takes in the same run. */
const BOUNDS: readonly (readonly [ServerName, number])[] = [
  ['host', 0.75],
  ['host on Node', 0.7],
];

type Round = SaturationResult & { readonly serverCpu: number };

/** As many new connections a second as each server takes, in turns; the medians are compared. */
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
  return {
    title: 'Saturation: new connections a second',
    head: [
      'server',
      'new/s',
      'new each CPU second',
      'to its bare server',
      'errors',
      'sync p50 ms',
      'p99',
      'CPU',
      'generator CPU',
    ],
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
      ...BOUNDS.map(([name, atLeast]) => ({
        name: `new connections of ${name} each CPU second`,
        measured: toBare(name),
        unit: TO_BARE,
        atLeast,
      })),
      {
        name: 'its data-sync P99',
        measured: Math.max(...found.host.map(({ sync }) => sync.p99)),
        unit: 'ms',
        atMost: 200,
      },
      { name: 'its errors', measured: sumOf(found.host, ({ errors }) => errors), unit: '', atMost: 0 },
    ],
    invalid,
    notes: [
      `${LOAD.concurrency} connections in flight, the last ${LOAD.held} stay open; medians of ${ROUNDS} rounds in turns.`,
    ],
  };
}
