import { sumOf } from '../../shared/statistics/sumOf.ts';
import type { Slice } from '../measure/slice.ts';
import { type Summary, summarise, summariseMs } from '../measure/summary.ts';
import type { Flip } from './runFiles.ts';
import type { Changes } from './schema.ts';

/** The name of the times from the write of one change until its arrivals. */
export const CHANGE = /^change (\d+)$/;

/** Counts the arrivals of each change. @returns undefined without changes */
export function countChanges(flips: readonly Flip[], slices: readonly Slice[]): Changes | undefined {
  const [first] = flips;
  if (!first) return undefined;
  const before = slices.filter(({ at }) => at <= first.beganAt / 1_000);
  const sum = (name: string) => sumOf(before, ({ counters }) => counters[name] ?? 0);
  const clients = sum('syncs answered') - sum('left');
  const arrived = (flip: Flip) => sumOf(listArrivals(flip, slices), ([, count]) => count);
  return { flips: flips.length, clients, missing: sumOf(flips, (flip) => Math.max(0, clients - arrived(flip))) };
}

/**
 * The times from the acknowledged write until each client, the first client and the last client receive the change. An arrival before
 * the acknowledgement counts as 0. If clients run on another machine, the times depend on its clock.
 */
export function measureChanges(flips: readonly Flip[], slices: readonly Slice[]): Record<string, Summary> {
  const each = flips.map((flip) => {
    const laterUs = Math.round((flip.acknowledgedAt - flip.version) * 1_000);
    return listArrivals(flip, slices).map(([us, count]) => [Math.max(0, us - laterUs), count] as const);
  });
  const all = summarise(each);
  if (!all) return {};
  const ms = each.filter(({ length }) => length > 0).map((arrivals) => arrivals.map(([us]) => us / 1_000));
  return {
    'acknowledged to event': all,
    'acknowledged to first': summariseMs(ms.map((times) => Math.min(...times))),
    'acknowledged to last': summariseMs(ms.map((times) => Math.max(...times))),
  };
}

/** Arrivals of a change: microseconds from its version, and the count. */
function listArrivals({ version }: Flip, slices: readonly Slice[]): (readonly [number, number])[] {
  return slices.flatMap(({ times }) => times[`change ${version}`] ?? []);
}
