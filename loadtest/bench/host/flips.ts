import { setTimeout as sleep } from 'node:timers/promises';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import { flipFlag, openTable } from '../../machine/flagFlips.ts';
import type { Generator, Testbed } from '../../testbed/testbed.ts';

const KEY = 'returns-true';
/** How long a flip may take to reach all, before it counts as incomplete. */
const ARRIVAL_DEADLINE_MS = 10_000;
const CHECK_MS = 100;

/** A change that is written, or sent by a bare server; times in milliseconds since the epoch. */
export interface Write {
  readonly version: number;
  readonly beganAt: number;
  readonly acknowledgedAt: number;
}

/** How long flips took to reach the last of all connections, in milliseconds. */
export interface FlipTimes {
  /** From the beginning of the write, and from its acknowledgement. */
  readonly fromWrite: readonly number[];
  readonly fromAcknowledged: readonly number[];
  /** Flips that did not reach all. */
  readonly incomplete: number;
}

/** How flips follow each other. */
interface Schedule {
  readonly count: number;
  /** Flips before those that count. */
  readonly warmUp: number;
  /** Between the arrival of a flip and the next write. */
  readonly pauseMs: number;
}

/**
 * Flips a flag again and again, each time once the last flip has arrived.
 *
 * @param connections that a flip must reach
 * @param write what flips it
 */
export async function flipAgain(
  generators: readonly Generator[],
  connections: number,
  write: () => Promise<Write>,
  { count, warmUp, pauseMs }: Schedule,
): Promise<FlipTimes> {
  const fromWrite: number[] = [];
  const fromAcknowledged: number[] = [];
  for (let n = -warmUp; n < count; n++) {
    const { version, beganAt, acknowledgedAt } = await write();
    for (const end = performance.now() + ARRIVAL_DEADLINE_MS; performance.now() < end; await sleep(CHECK_MS)) {
      const all = (await Promise.all(generators.map((generator) => generator.ask('arrivals', null)))).flat();
      const own = all.filter(({ updatedAt }) => updatedAt === version);
      if (sumOf(own, (arrival) => arrival.count) < connections) continue;
      const lastAt = Math.max(...own.map((arrival) => arrival.lastAt));
      if (n >= 0) fromWrite.push(lastAt - beganAt);
      if (n >= 0) fromAcknowledged.push(lastAt - acknowledgedAt);
      break;
    }
    // Not in step with the host's polls.
    await sleep(pauseMs * (0.8 + 0.4 * Math.random()));
  }
  return { fromWrite, fromAcknowledged, incomplete: count - fromWrite.length };
}

/** Opens the testbed's table for flips of a flag of its only environment, for as long as `use` takes. */
export async function withFlips<T>(testbed: Testbed, use: (flip: () => Promise<Write>) => Promise<T>): Promise<T> {
  const store = openTable(testbed.table);
  try {
    const [environment] = await store.environments.list();
    if (!environment) throw new Error('the table has no environment');
    return await use(() => flipFlag(store, environment.id, KEY));
  } finally {
    store.close();
  }
}
