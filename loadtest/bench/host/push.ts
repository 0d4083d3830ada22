import { median, quantile } from '../../../shared/statistics/quantile.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import { type Server, type Testbed, withGenerators } from '../../testbed/testbed.ts';
import { progress, type Result, round } from '../benchmark.ts';
import { type FlipTimes, flipAgain, type Write, withFlips } from './flips.ts';

/** What changes are pushed to; the first two are compared. */
const PUSHES = [
  { server: 'host', count: 10_000 },
  { server: 'bare Bun', count: 10_000 },
  { server: 'host', count: 18_000 },
] as const;
/** The code of the host, and of the emulator's table, is compiled after the warm-up. */
const SCHEDULE = { count: 30, warmUp: 20, pauseMs: 300 };

/** What a push may take, as a multiple of what the bare server takes, which neither writes nor reads nor evaluates. */
const MOST_TO_BARE = 1.5;

/** A flag flipped again and again, to the last of many connections; compared with a bare server that sends as much to as many. */
export async function measurePush(testbed: Testbed): Promise<Result> {
  const found: (FlipTimes & (typeof PUSHES)[number] & { errors: number })[] = [];
  for (const push of PUSHES) {
    progress(`push: ${SCHEDULE.count} flips to ${push.count} connections of ${push.server}`);
    await testbed.withServer(push.server, (server) =>
      withGenerators(server.target, 1, async ([generator]) => {
        await generator.ask('storm', { rate: 1_000, count: push.count });
        const times = await withFlips(testbed, (flip) =>
          flipAgain([generator], push.count, push.server === 'host' ? flip : () => sendBare(server), SCHEDULE),
        );
        found.push({ ...push, ...times, errors: (await generator.ask('tally', null)).errors });
      }),
    );
  }
  const [first, bare] = found.map(({ fromWrite }) => fromWrite);
  const p99 = (values: readonly number[] = []) => quantile(values, 0.99);
  const toBare = median(first ?? []) / median(bare ?? []);
  const times = ['p50 ms from write', 'p99', 'p50 ms from acknowledgement', 'p99'];
  return {
    title: 'Push: from a write to the last connection',
    head: ['server', 'held', 'flips', ...times, 'incomplete', 'errors'],
    rows: found.map(({ server, count, fromWrite, fromAcknowledged, incomplete, errors }) => [
      server,
      count,
      fromWrite.length,
      ...[median(fromWrite), p99(fromWrite), median(fromAcknowledged), p99(fromAcknowledged)].map(round),
      incomplete,
      errors,
    ]),
    bounds: [
      { name: `P99 to ${PUSHES[0].count} connections, from the write`, measured: p99(first), unit: 'ms', atMost: 180 },
      { name: "its median to bare Bun's", measured: toBare, unit: '×', atMost: MOST_TO_BARE },
      { name: 'flips that did not reach all', measured: sumOf(found, (each) => each.incomplete), unit: '', atMost: 0 },
      { name: 'errors, or out of order', measured: sumOf(found, ({ errors }) => errors), unit: '', atMost: 0 },
    ],
    notes: [`The P99 of ${SCHEDULE.count} flips is the slowest. The host's POLL_INTERVAL_MS is in every figure.`],
  };
}

/** Has the bare server send a change: nothing is written, and nothing read. */
async function sendBare({ process }: Server): Promise<Write> {
  const at = performance.timeOrigin + performance.now();
  const version = Math.ceil(at);
  await process.requests()('push', version);
  return { version, beganAt: at, acknowledgedAt: at };
}
