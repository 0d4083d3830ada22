import { deletionText } from '../deletion.ts';
import { findNamed } from '../findNamed.ts';
import { InvalidInput } from '../invalidInput.ts';
import { didYouMean } from '../nearest.ts';
import type { Segment } from '../segment.ts';

/**
 * Finds a segment by its id, else by its name.
 *
 * @param segments including deleted ones; for these the error says how to restore them
 * @throws {InvalidInput} if there is none, or several have the name
 */
export function findSegment(segments: readonly Segment[], named: string): Segment {
  const existing = segments.filter(({ isDeleted }) => !isDeleted);
  const found = findNamed(existing, named, [({ name }) => name], 'segments');
  if (found) return found;
  const deleted = segments
    .filter(({ id, name }) => id === named || name === named)
    .toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt))
    .at(-1);
  const list = '; `segment list` shows all segments';
  if (deleted) throw new InvalidInput(deletionText(`segment "${named}"`, deleted) + list);
  const names = existing.map(({ name }) => name);
  throw new InvalidInput(`there is no segment "${named}"${didYouMean(named, names) || list}`);
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
