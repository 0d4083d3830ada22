import type { Flag } from '../../../../shared/flags/flag.ts';
import { IN_SEGMENT, type Rollout, type TargetingRule } from '../../../../shared/flags/rule.ts';
import type { Segment } from '../../../../shared/flags/segment.ts';
import { formatTimestamp } from '../../../../shared/flags/timestamp.ts';
import type { User } from '../../../../shared/flags/user.ts';
import { markedValue } from './items.ts';
import type { SyncUser } from './replica.ts';

/** What users may have for the attribute `group`; every flag gives each of them another value. */
export const GROUPS = ['red', 'green', 'blue'] as const;

/** The key ids of client-type readers' users, and so of the segments' members: so many that none comes again soon. */
export const KEY_IDS = Array.from({ length: 12 }, (_, n) => `u${n}`);

/** Enough for a wrong one not to be made good by the next write at once. */
export const FLAG_KEYS = Array.from({ length: 40 }, (_, n) => `flag-${n}`);
export const SEGMENT_IDS = ['segment-0', 'segment-1'];

/**
 * A flag that tells of its write and of its user: the value is made of the mark and the user's group, and is served by
 * another rule to members of its segment. Only every third flag has one.
 */
export function markedFlag(key: string, mark: string): Flag {
  const index = FLAG_KEYS.indexOf(key);
  const segmentId = index % 3 === 1 ? SEGMENT_IDS[index % SEGMENT_IDS.length] : undefined;
  const isOfGroup = (group: string) => ({ id: 'group', property: 'group', op: 'Equal', value: group });
  const isMember = { id: 'member', property: IN_SEGMENT, op: null, value: JSON.stringify([segmentId]) };
  const rules = GROUPS.flatMap((group): TargetingRule[] => [
    ...(segmentId ? [rule(`${group} member`, group, [isMember, isOfGroup(group)])] : []),
    rule(group, group, [isOfGroup(group)]),
  ]);
  return {
    id: key,
    envId: '',
    name: key,
    description: '',
    key,
    variationType: 'string',
    variations: [...GROUPS, 'nobody'].map((group) => ({ id: group, name: group, value: markedValue(mark, group) })),
    targetUsers: [],
    rules,
    isEnabled: true,
    disabledVariationId: 'nobody',
    fallthrough: serving('nobody'),
    exptIncludeAllTargets: true,
    tags: [],
    updatedAt: formatTimestamp(0),
    isArchived: false,
  };
}

/** A segment of some of the key ids. */
export function segmentOf(id: string, included: readonly string[]): Segment {
  const updatedAt = formatTimestamp(0);
  return { id, envId: '', name: id, description: '', included, excluded: [], rules: [], updatedAt, isArchived: false };
}

/** A client-type reader's user as the service evaluates it. */
export function userOf({ keyId, group }: SyncUser): User {
  return { keyId, name: keyId, attributes: new Map([['group', group]]) };
}

function rule(name: string, variationId: string, conditions: TargetingRule['conditions']): TargetingRule {
  return { id: name, name, conditions, ...serving(variationId) };
}

function serving(id: string): Rollout {
  return { dispatchKey: null, includedInExpt: false, variations: [{ id, rollout: [0, 1], exptRollout: 1 }] };
}
