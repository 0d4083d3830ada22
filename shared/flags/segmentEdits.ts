import { deletionText } from './deletion.ts';
import { InvalidInput } from './invalidInput.ts';
import { didYouMean } from './nearest.ts';
import type { Segment } from './segment.ts';

/**
 * Finds a segment by its id, or by its name if that is unique.
 *
 * @param segments including deleted ones; for these the error says how to restore them
 * @throws {InvalidInput}
 */
export function findSegment(segments: readonly Segment[], named: string): Segment {
  const matching = segments.filter(({ id, name }) => id === named || name === named);
  const found = matching.filter(({ isDeleted }) => !isDeleted);
  const [first] = found;
  if (!first) {
    const deleted = matching.toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt)).at(-1);
    const list = '; `segment list` shows all segments';
    if (deleted) throw new InvalidInput(deletionText(`segment "${named}"`, deleted) + list);
    const existing = segments.filter(({ isDeleted }) => !isDeleted).map(({ name }) => name);
    throw new InvalidInput(`there is no segment "${named}"${didYouMean(named, existing) || list}`);
  }
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new InvalidInput(`several segments are named "${named}"; use an id: ${ids}`);
  }
  return first;
}

/** Refuses a name that another segment has, because operators identify segments by name. @throws {InvalidInput} */
export function requireFreeName(segments: readonly Segment[], id: string, name: string): void {
  const other = segments.find((segment) => segment.id !== id && (segment.name === name || segment.id === name));
  if (!other) return;
  const state = other.isArchived ? ', and it is archived; `segment restore` restores it' : '';
  throw new InvalidInput(`a segment named "${name}" already exists; its id is ${other.id}${state}`);
}

/** Includes users in a segment, regardless of its rules. */
export function including(segment: Segment, keyIds: readonly string[]): Segment {
  return { ...segment, included: union(segment.included, keyIds), excluded: without(segment.excluded, keyIds) };
}

/** Excludes users from a segment, regardless of its rules. */
export function excluding(segment: Segment, keyIds: readonly string[]): Segment {
  return { ...segment, included: without(segment.included, keyIds), excluded: union(segment.excluded, keyIds) };
}

/** Removes users from both lists, so that the segment's rules apply to them. */
export function leavingToRules(segment: Segment, keyIds: readonly string[]): Segment {
  return { ...segment, included: without(segment.included, keyIds), excluded: without(segment.excluded, keyIds) };
}

function union(list: readonly string[], keyIds: readonly string[]): string[] {
  return [...new Set([...list, ...keyIds])];
}

function without(list: readonly string[], keyIds: readonly string[]): string[] {
  const unwanted = new Set(keyIds);
  return list.filter((keyId) => !unwanted.has(keyId));
}
