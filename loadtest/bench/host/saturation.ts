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
import { progress, type Result, round } from '../benchmark.ts';

const servers = Object.keys(SERVERS) as ServerName[];

/** So many in flight that a server never waits for the generator, and so few that its answers stay quick. */
const LOAD = { concurrency: 256, held: 17_000, warmUpMs: 4_000, measureMs: 5_000 };

const ROUNDS = 3;

/** What the host must carry, as a share of what a bare server carries in the same run. */
const BOUNDS: readonly (readonly [ServerName, ServerName, number])[] = [
  ['host', 'bare ws', 1.7],
  ['host', 'bare Bun', 0.5],
  ['host on Node', 'bare ws', 0.4],
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
  const perSecond = (name: ServerName) => medianOf(name, (load) => load.perSecond);
  const invalid = servers.flatMap((name) => [
    ...(medianOf(name, ({ serverCpu }) => serverCpu) < LEAST_SATURATED ? [`${name}: its core was not full`] : []),
    ...(medianOf(name, ({ cpu }) => cpu) > GENERATOR_LIMITS.cpu ? [`${name}: the generator's core was full`] : []),
    ...found[name].flatMap(({ reasons }) => reasons.map((reason) => `${name}: ${reason}`)),
  ]);
  return {
    title: 'Saturation: new connections a second',
    head: ['server', 'new/s', 'to bare ws', 'to bare Bun', 'errors', 'sync p50 ms', 'p99', 'CPU', 'generator CPU'],
    rows: servers.map((name) => [
      name,
      round(perSecond(name)),
      ...(['bare ws', 'bare Bun'] as const).map((bare) => `${round(perSecond(name) / perSecond(bare))}×`),
      sumOf(found[name], ({ errors }) => errors),
      round(medianOf(name, ({ sync }) => sync.p50)),
      round(medianOf(name, ({ sync }) => sync.p99)),
      `${round(100 * medianOf(name, ({ serverCpu }) => serverCpu))} %`,
      `${round(100 * medianOf(name, ({ cpu }) => cpu))} %`,
    ]),
    bounds: [
      ...BOUNDS.map(([name, bare, atLeast]) => ({
        name: `${name} against ${bare}`,
        measured: perSecond(name) / perSecond(bare),
        unit: '×',
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
