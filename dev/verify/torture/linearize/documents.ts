import type { Flag } from '../../../../shared/flags/flag.ts';
import { IN_SEGMENT, type TargetingRule } from '../../../../shared/flags/rule.ts';
import type { Segment } from '../../../../shared/flags/segment.ts';
import { formatTimestamp } from '../../../../shared/flags/timestamp.ts';
import type { User } from '../../../../shared/flags/user.ts';
import { aFlag, aRollout, aSegment, share } from '../../../../shared/testing/builders.ts';
import { markedValue, type SdkUser } from '../../../support/sdkModel/message.ts';

/** Values of the attribute `group`. Each flag returns another value for each group. */
export const GROUPS = ['red', 'green', 'blue'] as const;

/** Key ids of the users of client-type readers, and of the members of segments. */
export const KEY_IDS = Array.from({ length: 12 }, (_, n) => `u${n}`);

/** Many flags, so that the next write does not hide a wrong flag. */
export const FLAG_KEYS = Array.from({ length: 40 }, (_, n) => `flag-${n}`);
export const SEGMENT_IDS = ['segment-0', 'segment-1'];

/**
 * A flag whose value contains the mark of its write and the group of its user. Every third flag has a segment: another rule
 * returns the value for its members.
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
  return aFlag({
    id: key,
    envId: '',
    name: key,
    key,
    variationType: 'string',
    updatedAt: formatTimestamp(0),
    rules,
    variations: [...GROUPS, 'nobody'].map((group) => ({ id: group, name: group, value: markedValue(mark, group) })),
    isEnabled: true,
    disabledVariationId: 'nobody',
    fallthrough: aRollout(share('nobody')),
  });
}

/** A segment of some of the key ids. */
export function segmentOf(id: string, included: readonly string[]): Segment {
  return aSegment({ id, envId: '', name: id, included, excluded: [], rules: [], updatedAt: formatTimestamp(0) });
}

/** A client-type reader's user as the service evaluates it. */
export function userOf({ keyId, name, customizedProperties }: SdkUser): User {
  return { keyId, name, attributes: new Map(customizedProperties.map((each) => [each.name, each.value])) };
}

function rule(name: string, variationId: string, conditions: TargetingRule['conditions']): TargetingRule {
  return { id: name, name, conditions, ...aRollout(share(variationId)) };
}
