import { type Opened, open } from './opening.ts';
import type { Population } from './world.ts';

/** Everybody connects for the first time, evenly over some seconds: an application starts, or its servers are back. */
export function storm(population: Population, overSeconds: number, onProgress?: (nowMs: number) => void): Opened {
  const { connections } = population;
  const gapMs = (overSeconds * 1_000) / connections;
  const arrivals = { count: connections, atMs: (place: number) => place * gapMs, connection: (place: number) => place };
  return open(population, arrivals, onProgress && { onProgress });
}

/**
 * The connections of a storm end two hours after they were let in, as API Gateway has it, and their SDKs come back: as
 * close together as they came. Whoever was never let in is not among them.
 *
 * @param openedAt when each was let in, in milliseconds; NaN where it was not
 */
export function wave(population: Population, openedAt: Float64Array, onProgress?: (nowMs: number) => void): Opened {
  const order = Uint32Array.from(openedAt.keys())
    .filter((connection) => !Number.isNaN(openedAt[connection]))
    .sort((a, b) => (openedAt[a] as number) - (openedAt[b] as number));
  const first = openedAt[order[0] ?? 0] ?? 0;
  const arrivals = {
    count: order.length,
    atMs: (place: number) => (openedAt[order[place] ?? 0] as number) - first,
    connection: (place: number) => order[place] as number,
  };
  return open(population, arrivals, { held: order.length, isReturning: true, ...(onProgress && { onProgress }) });
}
