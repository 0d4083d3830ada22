import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RE2 } from '../evaluation/compileOperator.ts';
import { compileConditions } from '../evaluation/condition.ts';
import { attributeConditionArbitrary } from '../testing/arbitraries/condition.ts';
import { userArbitrary } from '../testing/arbitraries/user.ts';
import { runs } from '../testing/runs.ts';
import { neverMatches } from './neverMatches.ts';

test('a condition that is called one that never matches matches no user', () => {
  const law = fc.property(
    attributeConditionArbitrary,
    userArbitrary,
    fc.constantFrom('empty' as const, 'no-match' as const),
    (condition, user, missingAttribute) => {
      const context = { missingAttribute, engine: RE2, segment: () => undefined, report: () => {} };
      if (neverMatches(condition) !== undefined) expect(compileConditions([condition], '', context)(user)).toBe(false);
    },
  );
  fc.assert(law, { numRuns: runs(2_000) });
});
