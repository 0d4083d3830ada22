import fc from 'fast-check';
import type { Flag } from '../../flags/flag.ts';
import type { Segment } from '../../flags/segment.ts';
import { attributeConditionArbitrary } from './condition.ts';
import { flagArbitrary } from './flag.ts';
import { keyIdArbitrary } from './user.ts';

/** Flags and the segments that they refer to. */
interface TestDocuments {
  readonly flags: readonly Flag[];
  readonly segments: readonly Segment[];
}

function segmentArbitrary(id: string): fc.Arbitrary<Segment> {
  return fc.record({
    id: fc.constant(id),
    envId: fc.constant('env'),
    name: fc.constant(id),
    description: fc.constant(''),
    included: fc.array(keyIdArbitrary, { maxLength: 12 }),
    excluded: fc.array(keyIdArbitrary, { maxLength: 6 }),
    rules: fc.array(
      fc.record({
        id: fc.uuid(),
        name: fc.constant('rule'),
        conditions: fc.array(attributeConditionArbitrary, { minLength: 1, maxLength: 2 }),
      }),
      { maxLength: 1 },
    ),
    updatedAt: fc.integer({ min: 1e12, max: 2e12 }).map((ms) => new Date(ms).toISOString()),
    isArchived: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  });
}

/**
 * An environment of up to three segments and some flags with unique keys.
 *
 * @param flagCount exact number of flags
 */
export function documentsArbitrary(flagCount: number): fc.Arbitrary<TestDocuments> {
  return fc.integer({ min: 0, max: 3 }).chain((count) => {
    const ids = Array.from({ length: count }, (_, n) => `segment-${n}`);
    return fc.record({
      segments: count === 0 ? fc.constant([]) : fc.tuple(...ids.map(segmentArbitrary)),
      flags: fc
        .array(flagArbitrary(ids), { minLength: flagCount, maxLength: flagCount })
        .map((flags) => flags.map((flag, n) => ({ ...flag, key: `${flag.key}-${n}` }))),
    });
  });
}
