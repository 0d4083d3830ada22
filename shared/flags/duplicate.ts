import type { Flag } from './flag.ts';
import type { Segment } from './segment.ts';

/**
 * A new flag like another: its type, variations, targets, rules, rollout, tags and whether it is on. Percentages draw other users, as
 * a user's place follows from the flag's key.
 */
export function duplicateFlag(flag: Flag, uuid: () => string, { key, name }: Pick<Flag, 'key' | 'name'>): Flag {
  return { ...flag, id: uuid(), key, name };
}

/** A new segment with the users and rules of another. */
export function duplicateSegment(segment: Segment, uuid: () => string, name: string): Segment {
  return { ...segment, id: uuid(), name };
}
