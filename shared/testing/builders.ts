import type { Flag } from '../flags/flag.ts';
import type { Condition, Rollout, RolloutVariation, TargetingRule } from '../flags/rule.ts';
import type { Segment } from '../flags/segment.ts';
import type { User } from '../flags/user.ts';

/**
 * A valid flag for tests. It is on, with variations `on` and `off` (values `true` and `false`), and serves `on` to
 * everyone. A test sets only the relevant fields.
 */
export function aFlag(fields: Partial<Flag> = {}): Flag {
  return {
    id: 'b3a0c6c2-0000-4000-8000-000000000001',
    envId: 'b3a0c6c2-0000-4000-8000-00000000000e',
    name: 'A flag',
    description: '',
    key: 'a-flag',
    variationType: 'boolean',
    variations: [
      { id: 'on', name: 'On', value: 'true' },
      { id: 'off', name: 'Off', value: 'false' },
    ],
    targetUsers: [],
    rules: [],
    isEnabled: true,
    disabledVariationId: 'off',
    fallthrough: aRollout(share('on')),
    exptIncludeAllTargets: true,
    tags: [],
    updatedAt: '2024-01-02T03:04:05.678Z',
    isArchived: false,
    ...fields,
  };
}

/** A valid segment for tests, without members. */
export function aSegment(fields: Partial<Segment> = {}): Segment {
  return {
    id: 'a-segment',
    envId: 'b3a0c6c2-0000-4000-8000-00000000000e',
    name: 'A segment',
    description: '',
    included: [],
    excluded: [],
    rules: [],
    updatedAt: '2024-01-02T03:04:05.678Z',
    isArchived: false,
    ...fields,
  };
}

/** A user for tests, with attributes as a plain object. */
export function aUser(keyId: string, attributes: Record<string, string> = {}, name: string | null = null): User {
  return { keyId, name, attributes: new Map(Object.entries(attributes)) };
}

/** A targeting rule that serves `off` to users who match the conditions. */
export function aRule(conditions: readonly Condition[], fields: Partial<TargetingRule> = {}): TargetingRule {
  return { id: 'rule-1', name: 'Rule 1', conditions, ...aRollout(share('off')), ...fields };
}

export function aCondition(property: string, op: string | null, value: string | null): Condition {
  return { id: 'condition-1', property, op, value };
}

/** A rollout by `keyId`, without an experiment. */
export function aRollout(...variations: RolloutVariation[]): Rollout {
  return { dispatchKey: null, includedInExpt: false, variations };
}

/** A share of a rollout. The default is everyone. */
export function share(id: string, lower = 0, upper = 1, exptRollout = 1): RolloutVariation {
  return { id, rollout: [lower, upper], exptRollout };
}
