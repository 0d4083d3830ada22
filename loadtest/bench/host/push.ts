import { setTimeout as sleep } from 'node:timers/promises';
import { median, quantile } from '../../../shared/statistics/quantile.ts';
import { flipFlag, openTable } from '../../machine/flagFlips.ts';
import type { Flip } from '../../results/runFiles.ts';
import type { Generator, Server, ServerName, Testbed } from '../../testbed/testbed.ts';
import { type Result, round } from './result.ts';

/** What changes are pushed to; the first two are compared. */
const PUSHES = [
  { server: 'host', count: 10_000 },
  { server: 'bare Bun', count: 10_000 },
  { server: 'host', count: 18_000 },
] as const;
const FLIPS = 30;
/** Flips before those that count, quicker ones: the code of the host, and of the emulator's table, is compiled by then. */
const WARM_UP_FLIPS = 20;
const WARM_UP_EVERY_MS = 300;
const FLIP_EVERY_MS = 1_000;
const KEY = 'returns-true';

/** What a push may take, as a share of what the bare server takes, which neither writes nor reads nor evaluates. */
const MOST_TO_BARE = 1.5;

/** How long flips took to reach the last of many connections, in milliseconds. */
interface Flipped {
  readonly server: ServerName;
  readonly count: number;
  /** From the beginning of the write, and from its acknowledgement. */
  readonly fromWrite: readonly number[];
  readonly fromAcknowledged: readonly number[];
  readonly incomplete: number;
  readonly errors: number;
}

/** A flag flipped again and again, to the last of many connections; beside it a bare server that sends as much to as many. */
export async function measurePush(testbed: Testbed): Promise<Result> {
  const found: Flipped[] = [];
  for (const { server: name, count } of PUSHES) {
    process.stderr.write(`… push: ${FLIPS} flips to ${count} connections of ${name}\n`);
    await testbed.withServer(name, (server) =>
      testbed.withGenerators(server.target, 1, async ([generator]) => {
        if (generator) found.push(await flip(testbed, server, generator, count));
      }),
    );
  }
  const [first, bare] = found;
  const p99 = (values: readonly number[]) => quantile(values, 0.99);
  return {
    title: 'Push: from a write to the last connection',
    head: [
      'server',
      'held',
      'flips',
      'p50 ms from write',
      'p99',
      'p50 ms from acknowledgement',
      'p99',
      'incomplete',
      'errors',
    ],
    rows: found.map(({ server, count, fromWrite, fromAcknowledged, incomplete, errors }) => [
      server,
      count,
      fromWrite.length,
      round(median(fromWrite)),
      round(p99(fromWrite)),
      round(median(fromAcknowledged)),
      round(p99(fromAcknowledged)),
      incomplete,
      errors,
    ]),
    bounds: [
      {
        name: `P99 to ${first?.count} connections, from the write`,
        measured: p99(first?.fromWrite ?? []),
        unit: 'ms',
        atMost: 180,
      },
      {
        name: "its median to bare Bun's",
        measured: median(first?.fromWrite ?? []) / median(bare?.fromWrite ?? []),
        unit: '×',
        atMost: MOST_TO_BARE,
      },
      {
        name: 'flips that did not reach all',
        measured: found.reduce((sum, each) => sum + each.incomplete, 0),
        unit: '',
        atMost: 0,
      },
      {
        name: 'errors, or out of order',
        measured: found.reduce((sum, { errors }) => sum + errors, 0),
        unit: '',
        atMost: 0,
      },
    ],
    invalid: [],
    notes: [
      `The P99 of ${FLIPS} flips is the slowest; ${WARM_UP_FLIPS} went before them. The host looks for changes every POLL_INTERVAL_MS, by default; that is in every figure.`,
    ],
    charts: [
      {
        title: 'Push: time to the last connection, flip by flip (ms)',
        x: 'flip',
        y: 'ms',
        series: found.map(({ server, count, fromWrite }) => ({
          name: `${server}, ${count} connections`,
          points: fromWrite.map((ms, i) => [i + 1, ms]),
        })),
      },
    ],
  };
}

async function flip(testbed: Testbed, server: Server, generator: Generator, count: number): Promise<Flipped> {
  const store = openTable(testbed.table);
  const [environment] = await store.environments.list();
  if (!environment) throw new Error('the table has no environment');
  const write = server.name === 'bare Bun' ? () => tell(server) : () => flipFlag(store, environment.id, KEY);
  await generator.ask('storm', { rate: 1_000, count });
  const written: Flip[] = [];
  for (let n = -WARM_UP_FLIPS; n < FLIPS; n++) {
    const flipped = await write();
    if (n >= 0) written.push(flipped);
    // Not in step with the host's looks for changes.
    await sleep((n < 0 ? WARM_UP_EVERY_MS : FLIP_EVERY_MS) * (0.8 + 0.4 * Math.random()));
  }
  await sleep(2 * FLIP_EVERY_MS);
  const arrivals = new Map((await generator.ask('arrivals', null)).map((arrival) => [arrival.updatedAt, arrival]));
  const reached = written.flatMap((write) => {
    const arrival = arrivals.get(write.version);
    return arrival?.count === count ? [{ ...write, ...arrival }] : [];
  });
  store.close();
  return {
    server: server.name,
    count,
    fromWrite: reached.map(({ lastAt, beganAt }) => lastAt - beganAt),
    fromAcknowledged: reached.map(({ lastAt, acknowledgedAt }) => lastAt - acknowledgedAt),
    incomplete: FLIPS - reached.length,
    errors: (await generator.ask('tally', null)).errors,
  };
}

/** Has the bare server send a change: nothing is written, and nothing read. */
function tell({ process: server }: Server): Flip {
  const at = performance.timeOrigin + performance.now();
  const version = Math.ceil(at);
  server.child.send(version);
  return { version, beganAt: at, acknowledgedAt: at };
}
