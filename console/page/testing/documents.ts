import type { Document } from '../../../shared/flags/document.ts';
import { type Flag, parseFlag } from '../../../shared/flags/flag.ts';
import { IN_SEGMENT } from '../../../shared/flags/rule.ts';
import { parseSegment, type Segment } from '../../../shared/flags/segment.ts';

/** A flag with two rules and the given fields. */
export function aFlag(changed: Partial<Flag> = {}): Flag {
  const only = (id: string) => [{ id, rollout: [0, 1], exptRollout: 1 }];
  const rule = (id: string, name: string, property: string, op: string, value: string) => ({
    id,
    name,
    dispatchKey: null,
    includedInExpt: false,
    variations: only('on'),
    conditions: [{ id: `${id}-condition`, property, op, value }],
  });
  const result = parseFlag({
    id: 'flag-id',
    key: 'new-checkout',
    name: 'New checkout',
    variationType: 'boolean',
    variations: [
      { id: 'on', name: 'true', value: 'true' },
      { id: 'off', name: 'false', value: 'false' },
    ],
    targetUsers: [{ variationId: 'off', keyIds: ['eve'] }],
    rules: [
      rule('rule-1', 'Customers', 'plan', 'Equal', 'pro'),
      rule('rule-2', 'Staff', 'email', 'EndsWith', '@acme.com'),
    ],
    isEnabled: false,
    disabledVariationId: 'off',
    fallthrough: { dispatchKey: null, includedInExpt: true, variations: only('off') },
    tags: ['checkout'],
    ...changed,
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

/** A segment with one user, one rule and the given fields. */
export function aSegment(changed: Partial<Segment> = {}): Segment {
  const result = parseSegment({
    id: 'beta-id',
    name: 'Beta',
    included: ['ann'],
    excluded: [],
    rules: [{ id: 'r', name: 'Staff', conditions: [{ property: 'email', op: 'EndsWith', value: '@acme.com' }] }],
    ...changed,
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

/** A flag with a rule about a segment and a percentage rollout, and the segment. */
export function shopDocuments(): Document[] {
  const [testers, adults] = aFlag().rules;
  if (!testers || !adults) throw new Error('a flag has two rules');
  const asks = (property: string, op: string | null, value: string) => [{ property, op, value }];
  const flag = aFlag({
    name: 'new-checkout',
    rules: [
      { ...testers, name: 'Testers', conditions: asks(IN_SEGMENT, null, '["beta-id"]') },
      { ...adults, name: 'Adults', conditions: asks('age', 'BiggerEqualThan', '18') },
    ],
    fallthrough: {
      dispatchKey: null,
      includedInExpt: true,
      variations: [
        { id: 'on', rollout: [0, 0.1], exptRollout: 1 },
        { id: 'off', rollout: [0.1, 1], exptRollout: 1 },
      ],
    },
  });
  return [
    { kind: 'segment', document: aSegment() },
    { kind: 'flag', document: flag },
  ];
}
