import fc from 'fast-check';
import { type Condition, IN_SEGMENT, NOT_IN_SEGMENT } from '../../flags/rule.ts';
import { ATTRIBUTE_NAMES, ATTRIBUTES } from './user.ts';

const attribute = fc.constantFrom<string>(...ATTRIBUTE_NAMES, 'keyId', 'name');
const word = fc.constantFrom(...Object.values(ATTRIBUTES).flat(), 'user-1', 'user-2', 'bob');

const text = fc.record({
  op: fc.constantFrom('Equal', 'NotEqual', 'Contains', 'NotContain', 'StartsWith', 'EndsWith', 'IsTrue', 'IsFalse'),
  value: word.chain((whole) => fc.constantFrom(whole, whole.slice(0, 2), whole.slice(1))),
});

const number = fc.record({
  property: fc.constantFrom('age', 'score'),
  op: fc.constantFrom('LessThan', 'LessEqualThan', 'BiggerThan', 'BiggerEqualThan'),
  value: fc.constantFrom(...ATTRIBUTES.age, ...ATTRIBUTES.score, 'Infinity'),
});

const list = fc.record({
  op: fc.constantFrom('IsOneOf', 'NotOneOf'),
  value: fc.array(word, { maxLength: 4 }).map((words) => JSON.stringify(words)),
});

const odd = fc.oneof(
  fc.record({ op: fc.constantFrom('MatchRegex', 'NotMatchRegex'), value: fc.constantFrom('^us', 'r+o', '[', '') }),
  fc.record({ op: fc.constantFrom('IsOneOf', 'NotOneOf'), value: fc.constantFrom('null', 'not-json', '[1,"us"]', '') }),
  fc.record({ op: fc.constantFrom('Like', '', null), value: word }),
  fc.record({ op: fc.constantFrom('Equal', 'NotEqual', 'NotOneOf'), value: fc.constant(null) }),
  fc.record({ property: fc.constantFrom(' ', 'unheard-of'), op: fc.constantFrom('Equal', 'NotEqual'), value: word }),
);

/** A condition on an attribute. A few are unusual: regular expressions, invalid lists, unknown operators. */
export const attributeConditionArbitrary: fc.Arbitrary<Condition> = fc
  .tuple(
    attribute,
    fc.oneof(
      { weight: 8, arbitrary: text },
      { weight: 4, arbitrary: number },
      { weight: 4, arbitrary: list },
      { weight: 1, arbitrary: odd },
    ),
  )
  .map(([property, question]) => ({ property, ...question }));

/**
 * A condition on segments: a list of their ids, rarely an unknown id, or none.
 *
 * @param segmentIds the existing segments
 */
export function segmentConditionArbitrary(segmentIds: readonly string[]): fc.Arbitrary<Condition> {
  const ids = fc.subarray([...segmentIds], { minLength: 1 }).map((some) => JSON.stringify(some));
  return fc.record({
    property: fc.constantFrom(IN_SEGMENT, NOT_IN_SEGMENT),
    op: fc.constantFrom(null, ''),
    value: fc.oneof(
      { weight: 20, arbitrary: ids },
      { weight: 1, arbitrary: fc.constantFrom('[]', 'null', null, '["gone"]', '[1]') },
    ),
  });
}
