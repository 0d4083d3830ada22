import type { Slice } from '../processor/slice.ts';
import type { Flip } from './runFiles.ts';

/** What became of the changes that were made while clients were connected. */
export interface Changes {
  readonly flips: number;
  /** Clients that were connected when the first was made. */
  readonly clients: number;
  /** Arrivals that should have been and were not, over all changes. */
  readonly missing: number;
}

/** Counts what arrived of each change. @returns undefined where none was made */
export function changesOf(flips: readonly Flip[], slices: readonly Slice[]): Changes | undefined {
  const [first] = flips;
  if (!first) return undefined;
  const before = slices.filter(({ at }) => at <= first.beganAt / 1_000);
  const sum = (of: readonly Slice[], name: string) =>
    of.reduce((total, { counters }) => total + (counters[name] ?? 0), 0);
  const clients = sum(before, 'syncs answered') - sum(before, 'left');
  const missing = flips.reduce(
    (total, { version }) => total + Math.max(0, clients - sum(slices, `change ${version}`)),
    0,
  );
  return { flips: flips.length, clients, missing };
}
