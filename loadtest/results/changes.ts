import type { Slice } from '../measure/slice.ts';
import { type Summary, summarise, summariseMs } from '../measure/summary.ts';
import type { Flip } from './runFiles.ts';

/** What became of the changes that were made while clients were connected. */
export interface Changes {
  readonly flips: number;
  /** Clients that were connected when the first was made. */
  readonly clients: number;
  /** Arrivals that should have been and were not, over all changes. */
  readonly missing: number;
}

/** The time from a change's version, which is when it was written, until clients had it: `change <version>` of a slice. */
const CHANGE = /^change (\d+)$/;

/** Whether a time is of one change, rather than of all. */
export function isOfOneChange(name: string): boolean {
  return CHANGE.test(name);
}

/** Counts what arrived of each change. @returns undefined where none was made */
export function countChanges(flips: readonly Flip[], slices: readonly Slice[]): Changes | undefined {
  const [first] = flips;
  if (!first) return undefined;
  const before = slices.filter(({ at }) => at <= first.beganAt / 1_000);
  const sum = (name: string) => before.reduce((total, { counters }) => total + (counters[name] ?? 0), 0);
  const clients = sum('syncs answered') - sum('left');
  const missing = flips.reduce((total, flip) => {
    const arrived = listArrivals(flip, slices).reduce((all, [, count]) => all + count, 0);
    return total + Math.max(0, clients - arrived);
  }, 0);
  return { flips: flips.length, clients, missing };
}

/**
 * How long changes took from the acknowledged write: to every client, and of each change to the first and the last of them. A client may
 * have it before its writer has the acknowledgement: that counts as no time. Of clients on another machine it is as good as its clock.
 */
export function measureChanges(flips: readonly Flip[], slices: readonly Slice[]): Record<string, Summary> {
  const each = flips.map((flip) => ({
    arrivals: listArrivals(flip, slices),
    laterMs: flip.acknowledgedAt - flip.version,
  }));
  const fromAcknowledged = each.map(({ arrivals, laterMs }) =>
    arrivals.map(([us, count]) => [Math.max(0, us - Math.round(laterMs * 1_000)), count] as const),
  );
  const all = summarise(fromAcknowledged);
  if (!all) return {};
  const ends = fromAcknowledged.flatMap((arrivals) => {
    const ms = arrivals.map(([us]) => us / 1_000);
    return ms.length > 0 ? [{ first: Math.min(...ms), last: Math.max(...ms) }] : [];
  });
  return {
    'acknowledged to event': all,
    'acknowledged to first': summariseMs(ends.map(({ first }) => first)),
    'acknowledged to last': summariseMs(ends.map(({ last }) => last)),
  };
}

/** Arrivals of one change: microseconds from its version, and how many. */
function listArrivals({ version }: Flip, slices: readonly Slice[]): (readonly [number, number])[] {
  return slices.flatMap(({ times }) => times[`change ${version}`] ?? []);
}
