import type { Snapshot } from '../../shared/evaluation/snapshot.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import type { Evaluation } from '../../shared/store/usage/usageCounter.ts';

/** Counts evaluations. It never fails. */
export interface UsageSink {
  /** @param snapshot the environment's flags; undefined if they could not be read, and then nothing is counted */
  count(envId: string, snapshot: Snapshot | undefined, evaluations: readonly Evaluation[]): Promise<void>;
}

const known = new WeakMap<Snapshot, ReadonlyMap<string, Flag>>();

/** The flags by their keys. Computed once for each version of the flags. */
export function flagsByKey(snapshot: Snapshot | undefined): ReadonlyMap<string, Flag> | undefined {
  if (!snapshot) return undefined;
  const flags = known.get(snapshot) ?? new Map(snapshot.flags.map(({ document }) => [document.key, document]));
  known.set(snapshot, flags);
  return flags;
}
