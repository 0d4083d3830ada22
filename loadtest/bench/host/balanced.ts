import { HaProxy } from '../../../dev/support/haproxy.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import { ready, type Testbed, withGenerators } from '../../testbed/testbed.ts';
import { progress, type Result, round } from '../benchmark.ts';
import { flipAgain, withFlips } from './flips.ts';
import { countSockets } from './pair.ts';

const HOSTS = 3;
/** A balancer holds two files for each connection, and a process here may have 20,000 open. */
const RUNS = [
  { balancers: 1, count: 9_000, generators: 1 },
  { balancers: 4, count: 30_000, generators: 2 },
] as const;
const RATE = 500;
const SCHEDULE = { count: 10, warmUp: 0, pauseMs: 500 };

type Run = (typeof RUNS)[number];

/** Connections that come to three hosts by way of HAProxy, and a flag flipped again and again that must reach all. */
export async function measureBalanced(testbed: Testbed): Promise<Result> {
  const found: Awaited<ReturnType<typeof measure>>[] = [];
  for (const run of RUNS) {
    progress(`balanced: ${run.count} connections over ${run.balancers} to ${HOSTS} hosts`);
    found.push(await measure(testbed, run));
  }
  const head = ['connections', 'balancers', 'sockets of a balancer', 'held by each host', 'p50 ms from write to last'];
  return {
    title: 'Hosts behind HAProxy',
    head: [...head, 'slowest', 'incomplete', 'errors'],
    rows: found.map(({ count, balancers, sockets, held, fromWrite, incomplete, errors }) => [
      count,
      balancers,
      Math.max(...sockets),
      held.join(', '),
      round(median(fromWrite)),
      round(Math.max(...fromWrite)),
      incomplete,
      errors,
    ]),
    bounds: [
      ...found.map(({ count, balancers, held }) => ({
        name: `held by all hosts, over ${balancers}`,
        measured: sumOf(held, (each) => each),
        unit: 'connections',
        atLeast: count,
      })),
      {
        name: 'flips that did not reach all',
        measured: sumOf(found, ({ incomplete }) => incomplete),
        unit: '',
        atMost: 0,
      },
      { name: 'errors, or out of order', measured: sumOf(found, ({ errors }) => errors), unit: '', atMost: 0 },
    ],
    notes: [
      `A flag is flipped ${SCHEDULE.count} times in each run. The hosts share one core; balancers, generators and table share the other: on machines of their own, times differ.`,
    ],
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
    return await withGenerators(target, run.generators, async (generators) => {
      const share = { rate: RATE / run.generators, count: run.count / run.generators };
      await Promise.all(generators.map((generator) => generator.ask('storm', share)));
      const times = await withFlips(testbed, (flip) => flipAgain(generators, run.count, flip, SCHEDULE));
      const states = await Promise.all(balancers.map((balancer) => balancer.states()));
      const held = backends.map(({ name }) => sumOf(states, (of) => of.get(name)?.connections ?? 0));
      const tallies = await Promise.all(generators.map((generator) => generator.ask('tally', null)));
      const sockets = await Promise.all(balancers.map(({ pid }) => countSockets(pid)));
      return { ...run, ...times, held, sockets, errors: sumOf(tallies, ({ errors }) => errors) };
    });
  } finally {
    for (const process of [...balancers, ...servers]) await process.stop();
  }
}
