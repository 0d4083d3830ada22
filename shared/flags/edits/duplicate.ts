import type { Flag } from '../flag.ts';
import type { Segment } from '../segment.ts';

/**
 * A copy of a flag under a new key: type, variations, targets, rules, rollout, tags and state. Percentages select other
 * users, because a user's bucket depends on the flag's key.
 */
export function duplicateFlag(flag: Flag, uuid: () => string, { key, name }: Pick<Flag, 'key' | 'name'>): Flag {
  return { ...flag, id: uuid(), key, name };
}

/** A new segment with the users and rules of another one. */
export function duplicateSegment(segment: Segment, uuid: () => string, name: string): Segment {
  return { ...segment, id: uuid(), name };
}
