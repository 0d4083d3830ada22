import { setTimeout as sleep } from 'node:timers/promises';
import { FAST_POLL_INTERVAL_MS } from '../../../functions/host/feeds/feeds.ts';
import { median, quantile } from '../../../shared/statistics/quantile.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import { flipFlag, openTable } from '../../machine/flagFlips.ts';
import type { Flip } from '../../results/runFiles.ts';
import { type Generator, type Server, type Testbed, withGenerators } from '../../testbed/testbed.ts';
import { atMost, none, progress, type Result, round } from '../benchmark.ts';

/** The receivers of changes. The report compares the first two. */
const PUSHES = [
  { server: 'host', count: 10_000 },
  { server: 'bare Bun', count: 10_000 },
  { server: 'host', count: 18_000 },
] as const;
const KEY = 'returns-true';
const FLIPS = 30;
/** Flips before the measurement, until the code of the host and of the emulator's table is compiled. */
const WARM_UP_FLIPS = 20;
/** Time between the arrival of a flip and the next write. */
const PAUSE_MS = 300;
/** A flip that has not reached all connections after this time is incomplete. */
const ARRIVAL_DEADLINE_MS = 10_000;
const CHECK_MS = 100;

/** Limit of a push, as a multiple of the bare server's time. The bare server neither writes, reads nor evaluates. */
const MOST_TO_BARE = 1.25;

/** Times in milliseconds until flips reached the last connection: from the write, and from its acknowledgement. */
interface FlipTimes {
  readonly fromWrite: number[];
  readonly fromAcknowledged: number[];
}

/** Measures the time until a flipped flag reaches the last of many connections, compared with a bare server that sends messages of the same size. */
export async function measurePush(testbed: Testbed): Promise<Result> {
  const found: (FlipTimes & (typeof PUSHES)[number] & { errors: number })[] = [];
  for (const push of PUSHES) {
    progress(`push: ${FLIPS} flips to ${push.count} connections of ${push.server}`);
    await testbed.withServer(push.server, (server) =>
      withGenerators(server.target, 1, async ([generator]) => {
        await generator.ask('storm', { rate: 1_000, count: push.count });
        const store = openTable(testbed.table);
        const [environment] = await store.environments.list();
        const flip = () => flipFlag(store, environment?.id ?? '', KEY);
        const write = push.server === 'host' ? flip : () => sendBare(server);
        const times = await flipAgain(generator, push.count, write, { flips: FLIPS, warmUp: WARM_UP_FLIPS });
        store.close();
        found.push({ ...push, ...times, errors: (await generator.ask('tally', null)).errors });
      }),
    );
  }
  const [first, bare] = found.map(({ fromWrite }) => fromWrite);
  const p99 = (values: readonly number[] = []) => quantile(values, 0.99);
  // After the warm-up flips, the host polls at this interval.
  const toBare = (p99(first) - FAST_POLL_INTERVAL_MS) / p99(bare);
  const incomplete = sumOf(found, ({ fromWrite }) => FLIPS - fromWrite.length);
  const errors = sumOf(found, (each) => each.errors);
  const times = ['p50 ms from write', 'p99', 'p50 ms from acknowledgement', 'p99'];
  return {
    title: 'Push: from a write to the last connection',
    head: ['server', 'held', 'flips', ...times, 'incomplete', 'errors'],
    rows: found.map(({ server, count, fromWrite, fromAcknowledged, errors }) => [
      server,
      count,
      fromWrite.length,
      ...[median(fromWrite), p99(fromWrite), median(fromAcknowledged), p99(fromAcknowledged)].map(round),
      FLIPS - fromWrite.length,
      errors,
    ]),
    bounds: [
      atMost(MOST_TO_BARE, `P99 to ${PUSHES[0].count} connections, from the write, less the poll interval`, toBare),
      none('flips that did not reach all', incomplete),
      none('errors, or out of order', errors),
    ],
    notes: [
      `The P99 of ${FLIPS} flips is the slowest. The host polls every ${FAST_POLL_INTERVAL_MS} ms, which is in its figures.`,
    ],
  };
}

/** Flips a flag repeatedly. Each flip starts after the last one has reached all connections. */
export async function flipAgain(
  generator: Generator,
  connections: number,
  write: () => Promise<Flip>,
  { flips, warmUp }: { readonly flips: number; readonly warmUp: number },
): Promise<FlipTimes> {
  const times: FlipTimes = { fromWrite: [], fromAcknowledged: [] };
  for (let n = -warmUp; n < flips; n++) {
    const { version, beganAt, acknowledgedAt } = await write();
    for (const end = performance.now() + ARRIVAL_DEADLINE_MS; performance.now() < end; await sleep(CHECK_MS)) {
      const arrival = (await generator.ask('arrivals', null)).find(({ updatedAt }) => updatedAt === version);
      if (arrival?.count !== connections) continue;
      if (n >= 0) times.fromWrite.push(arrival.lastAt - beganAt);
      if (n >= 0) times.fromAcknowledged.push(arrival.lastAt - acknowledgedAt);
      break;
    }
    // A random pause avoids a fixed phase to the host's polls.
    await sleep(PAUSE_MS * (0.8 + 0.4 * Math.random()));
  }
  return times;
}

/** Makes the bare server send a change, without a write or a read. */
export async function sendBare({ process }: Pick<Server, 'process'>): Promise<Flip> {
  const at = performance.timeOrigin + performance.now();
  const version = Math.ceil(at);
  await process.requests()('push', version);
  return { version, beganAt: at, acknowledgedAt: at };
}
