import fc from 'fast-check';
import type { Flag } from '../../flags/flag.ts';
import type { Rollout, RolloutVariation, TargetingRule } from '../../flags/rule.ts';
import { attributeConditionArbitrary, segmentConditionArbitrary } from './condition.ts';
import { ATTRIBUTE_NAMES, keyIdArbitrary } from './user.ts';

const exptRollout = fc.constantFrom(0, 0.1, 0.5, 1);
const fraction = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);

/** Adjacent shares that cover [0,1], with variations in random order. */
export function partitionArbitrary(variationIds: readonly string[]): fc.Arbitrary<RolloutVariation[]> {
  return fc
    .tuple(fc.shuffledSubarray([...variationIds], { minLength: 1 }), fc.array(fraction, { minLength: 9, maxLength: 9 }))
    .chain(([ids, cuts]) => {
      const bounds = [0, ...cuts.slice(0, ids.length - 1).sort((a, b) => a - b), 1];
      return fc.tuple(
        ...ids.map((id, n) =>
          exptRollout.map((sample) => ({
            id,
            rollout: [bounds[n] ?? 0, bounds[n + 1] ?? 1] as const,
            exptRollout: sample,
          })),
        ),
      );
    });
}

/** A rollout. Most cover all users. Some have gaps or overlaps, or an unknown variation. */
function rolloutArbitrary(variationIds: readonly string[]): fc.Arbitrary<Rollout> {
  const anyShare = fc.record({
    id: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...variationIds) },
      { weight: 1, arbitrary: fc.constant('gone') },
    ),
    rollout: fc.tuple(fraction, fraction),
    exptRollout,
  });
  return fc.record({
    dispatchKey: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(null, 'keyId', '', ' ') },
      { weight: 2, arbitrary: fc.constantFrom<string>('name', ...ATTRIBUTE_NAMES) },
    ),
    includedInExpt: fc.boolean(),
    variations: fc.oneof(
      { weight: 6, arbitrary: partitionArbitrary(variationIds) },
      { weight: 1, arbitrary: fc.array(anyShare, { maxLength: 3 }) },
    ),
  });
}

function ruleArbitrary(variationIds: readonly string[], segmentIds: readonly string[]): fc.Arbitrary<TargetingRule> {
  const condition = fc.oneof(
    { weight: 4, arbitrary: attributeConditionArbitrary },
    ...(segmentIds.length > 0 ? [{ weight: 1, arbitrary: segmentConditionArbitrary(segmentIds) }] : []),
  );
  return fc
    .tuple(
      fc.record({
        id: fc.uuid(),
        name: fc.string({ maxLength: 8 }),
        conditions: fc.array(condition, { maxLength: 2 }),
      }),
      rolloutArbitrary(variationIds),
    )
    .map(([rule, rollout]) => ({ ...rule, ...rollout }));
}

/**
 * A flag that the parser accepts. Values are unique in a flag, so equal values mean equal variations.
 *
 * @param segmentIds segments that its rules may refer to
 */
export function flagArbitrary(segmentIds: readonly string[]): fc.Arbitrary<Flag> {
  return fc.integer({ min: 1, max: 4 }).chain((count) => {
    const ids = Array.from({ length: count }, (_, n) => `v${n}`);
    const knownId = fc.constantFrom(...ids);
    return fc.record({
      id: fc.uuid(),
      envId: fc.constant('env'),
      name: fc.string({ unit: 'grapheme', maxLength: 10 }),
      description: fc.constant(''),
      key: fc.stringMatching(/^[a-zA-Z0-9._-]{4,12}$/),
      variationType: fc.constantFrom('boolean', 'string', 'number', 'json'),
      variations: fc
        .uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), {
          minLength: count,
          maxLength: count,
        })
        .map((values) => ids.map((id, n) => ({ id, name: id, value: values[n] ?? id }))),
      targetUsers: fc.array(fc.record({ keyIds: fc.array(keyIdArbitrary, { maxLength: 3 }), variationId: knownId }), {
        maxLength: 2,
      }),
      rules: fc.array(ruleArbitrary(ids, segmentIds), { maxLength: 2 }),
      isEnabled: fc.integer({ min: 0, max: 19 }).map((n) => n > 0),
      disabledVariationId: fc.oneof({ weight: 30, arbitrary: knownId }, { weight: 1, arbitrary: fc.constant('gone') }),
      fallthrough: rolloutArbitrary(ids),
      exptIncludeAllTargets: fc.boolean(),
      tags: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      updatedAt: fc.integer({ min: 1e12, max: 2e12 }).map((ms) => new Date(ms).toISOString()),
      isArchived: fc.integer({ min: 0, max: 39 }).map((n) => n === 0),
    });
  });
}
