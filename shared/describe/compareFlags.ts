import { withoutDeleted } from '../flags/deletion.ts';
import { byKind, type Document } from '../flags/document.ts';
import type { Flag } from '../flags/flag.ts';
import { InvalidInput } from '../flags/invalidInput.ts';
import { type CopyEnvironment, FlagCopy } from './copyFlags.ts';
import { type Change, changesOf } from './documentChanges.ts';

/** The difference between the flags of one key in two environments. */
export interface FlagComparison {
  readonly key: string;
  readonly state: 'only in source' | 'only in target' | 'different' | 'same';
  /** The changes that a copy from the source would make in the target, without segments. */
  readonly changes: readonly Change[];
  /** Why it cannot be copied. */
  readonly problem?: string;
}

/**
 * Compares the flags of two environments, ascending by key. Flags that are archived in both, or in the only one, are
 * left out.
 */
export function compareFlags(source: CopyEnvironment, target: CopyEnvironment): FlagComparison[] {
  const [sourceFlags, targetFlags] = [flagsByKey(source), flagsByKey(target)];
  const copy = new FlagCopy(source, target, () => '');
  const segmentName = segmentNames(source, target);
  const keys = [...new Set([...sourceFlags.keys(), ...targetFlags.keys()])].toSorted((a, b) => a.localeCompare(b));
  return keys.flatMap((key): FlagComparison[] => {
    const [from, to] = [sourceFlags.get(key), targetFlags.get(key)];
    if ((from?.isArchived ?? true) && (to?.isArchived ?? true)) return [];
    if (!from) return [{ key, state: 'only in target', changes: [] }];
    try {
      const before: Document | undefined = to && { kind: 'flag', document: to };
      const changes = changesOf(before, { kind: 'flag', document: copy.flag(key) }, segmentName);
      return [{ key, state: to ? (changes.length > 0 ? 'different' : 'same') : 'only in source', changes }];
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      return [{ key, state: to ? 'different' : 'only in source', changes: [], problem: error.message }];
    }
  });
}

function flagsByKey({ documents }: CopyEnvironment): Map<string, Flag> {
  return new Map(byKind(withoutDeleted(documents)).flags.map((flag) => [flag.key, flag]));
}

/** The display names of segments of either environment. */
export function segmentNames(source: CopyEnvironment, target: CopyEnvironment): (id: string) => string {
  const all = byKind([...source.documents, ...target.documents]).segments;
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}
