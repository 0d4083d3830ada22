import { setTimeout as sleep } from 'node:timers/promises';
import { HaProxy } from '../../../dev/support/haproxy.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import { flipFlag, openTable } from '../../machine/flagFlips.ts';
import { type Generator, ready, type Testbed } from '../../testbed/testbed.ts';
import { openConnectionsOf } from './pair.ts';
import { type Result, round } from './result.ts';

const HOSTS = 3;
/** A balancer holds two files for each connection, and a process here may have 20,000 open. */
const RUNS = [
  { balancers: 1, count: 9_000, generators: 1 },
  { balancers: 4, count: 30_000, generators: 2 },
] as const;
const RATE = 500;
const FLIPS = 10;
const KEY = 'returns-true';
/** How long a flip may take to reach all, before it counts as one that did not. */
const PATIENCE_MS = 30_000;
/** Pause between a flip that has arrived and the next, not in step with the hosts' looks for changes. */
const PAUSE_MS = 500;

type Run = (typeof RUNS)[number];
type Measured = Awaited<ReturnType<typeof measure>>;

/** Connections that come to three hosts by way of HAProxy, and a flag flipped again and again that must reach all. */
export async function measureBalanced(testbed: Testbed): Promise<Result> {
  const found: Measured[] = [];
  for (const run of RUNS) {
    process.stderr.write(`… balanced: ${run.count} connections over ${run.balancers} to ${HOSTS} hosts\n`);
    found.push(await measure(testbed, run));
  }
  return {
    title: 'Hosts behind HAProxy',
    head: [
      'connections',
      'balancers',
      'sockets of a balancer',
      'held by each host',
      'p50 ms from write to last',
      'slowest',
      'incomplete',
      'errors',
    ],
    rows: found.map(({ run, sockets, held, took, errors }) => [
      run.count,
      run.balancers,
      Math.max(...sockets),
      held.join(', '),
      round(median(took)),
      round(Math.max(...took)),
      FLIPS - took.length,
      errors,
    ]),
    bounds: [
      ...found.map(({ run, held }) => ({
        name: `held by all hosts, over ${run.balancers}`,
        measured: sumOf(held, (each) => each),
        unit: 'connections',
        atLeast: run.count,
      })),
      {
        name: 'flips that did not reach all',
        measured: sumOf(found, ({ took }) => FLIPS - took.length),
        unit: '',
        atMost: 0,
      },
      { name: 'errors, or out of order', measured: sumOf(found, ({ errors }) => errors), unit: '', atMost: 0 },
    ],
    invalid: [],
    notes: [
      `A flag is flipped ${FLIPS} times in each run. Hosts share one core here; balancers, generators and table share the other: times say nothing of hosts on machines of their own.`,
    ],
    charts: [],
  };
}

async function measure(testbed: Testbed, run: Run) {
  const servers = Array.from({ length: HOSTS }, () => testbed.startServer('host'));
  const balancers: HaProxy[] = [];
  try {
    const ports = await Promise.all(servers.map((server) => ready(server, 'host')));
    const backends = ports.map((port, n) => ({ name: `host${n + 1}`, address: `127.0.0.1:${port}` }));
    for (let n = 0; n < run.balancers; n++) balancers.push(await HaProxy.start(backends));
    const addresses = balancers.map(({ port }) => ({ host: '127.0.0.1', port }));
    const target = { ...testbed.targetOf('host', 0), addresses };
    return await testbed.withGenerators(target, run.generators, async (generators) => {
      const share = { rate: RATE / run.generators, count: run.count / run.generators };
      await Promise.all(generators.map((generator) => generator.ask('storm', share)));
      const took = await flipAgain(testbed, generators, run.count);
      const states = await Promise.all(balancers.map((balancer) => balancer.states()));
      const held = backends.map(({ name }) => sumOf(states, (of) => of.get(name)?.connections ?? 0));
      const tallies = await Promise.all(generators.map((generator) => generator.ask('tally', null)));
      const sockets = await Promise.all(balancers.map(({ pid }) => openConnectionsOf(pid)));
      return { run, took, held, sockets, errors: sumOf(tallies, ({ errors }) => errors) };
    });
  } finally {
    for (const process of [...balancers, ...servers]) await process.stop('SIGKILL');
  }
}

/** Flips a flag, each time once the last flip has arrived. @returns how long those took that reached all, in milliseconds */
async function flipAgain(testbed: Testbed, generators: readonly Generator[], count: number): Promise<number[]> {
  const store = openTable(testbed.table);
  const [environment] = await store.environments.list();
  if (!environment) throw new Error('the table has no environment');
  const took: number[] = [];
  for (let n = 0; n < FLIPS; n++) {
    const { version, beganAt } = await flipFlag(store, environment.id, KEY);
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(100)) {
      const all = (await Promise.all(generators.map((generator) => generator.ask('arrivals', null)))).flat();
      const own = all.filter(({ updatedAt }) => updatedAt === version);
      if (sumOf(own, (arrival) => arrival.count) < count) continue;
      took.push(Math.max(...own.map(({ lastAt }) => lastAt)) - beganAt);
      break;
    }
    await sleep(PAUSE_MS * (0.8 + 0.4 * Math.random()));
  }
  store.close();
  return took;
}
