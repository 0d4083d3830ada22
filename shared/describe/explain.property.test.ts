import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { documentsArbitrary } from '../testing/arbitraries/environment.ts';
import { userArbitrary } from '../testing/arbitraries/user.ts';
import { compileEnvironment } from '../testing/evaluate.ts';
import { runs } from '../testing/runs.ts';
import { type Explanation, explainFlag, type RuleAnswer } from './explain.ts';
import { explanationLines } from './explanationText.ts';

test('an explanation agrees with the evaluation, and each of its steps with the result', () => {
  const law = fc.property(
    documentsArbitrary(3),
    fc.array(userArbitrary, { minLength: 3, maxLength: 3 }),
    fc.constantFrom('empty' as const, 'no-match' as const),
    ({ flags, segments }, users, missingAttribute) => {
      const snapshot = compileEnvironment(flags, { segments, missingAttribute });
      for (const user of users) {
        for (const { document, evaluate } of snapshot.flags.map((flag) => ({
          document: flag.document,
          evaluate: flag.evaluate.bind(flag),
        }))) {
          const explanation = explainFlag(document, user, segments, missingAttribute);
          const { variationId, value, reason, cause, sendToExperiment } = evaluate(user);
          expect(explanation.result).toEqual({ variationId, value, reason, cause, sendToExperiment });
          expectStepsLeadThere(explanation, document);
          expect(explanationLines(document, user.keyId, explanation).length).toBeGreaterThan(0);
          for (const warning of explanation.invalidConditions) {
            expect(snapshot.invalidConditions).toContainEqual(warning);
          }
        }
      }
    },
  );
  fc.assert(law, { numRuns: runs(100) });
});

function expectStepsLeadThere(
  { result, rules, bucketing }: Explanation,
  flag: Parameters<typeof explainFlag>[0],
): void {
  expect(rules.slice(0, -1).every(({ holds }) => !holds)).toBe(true);
  expectConsistent(rules);
  if (['archived', 'disabled', 'target'].includes(result.cause)) return;
  const held = rules.find(({ holds }) => holds);
  if (!held) expect(rules).toHaveLength(flag.rules.length);
  expect(result.reason).toBe(held ? held.name : 'default');
  if (result.cause !== 'split' || !bucketing) return;
  const { variations } = (held && flag.rules[held.index]) || flag.fallthrough;
  const drawn = variations.find(({ rollout }) => rollout === bucketing.share)?.id ?? '';
  expect(result.variationId).toBe(flag.variations.some(({ id }) => id === drawn) || drawn === '' ? drawn : null);
}

function expectConsistent(rules: readonly RuleAnswer[]): void {
  for (const { holds, conditions } of rules) {
    expect(holds).toBe(conditions.every((answer) => answer.holds));
    for (const { segments = [], condition, holds: isHeld } of conditions) {
      const contained = segments.some(({ contains }) => contains);
      if (segments.length > 0) expect(isHeld).toBe(contained === (condition.property === 'User is in segment'));
      for (const segment of segments) expectConsistent(segment.rules);
    }
  }
}
