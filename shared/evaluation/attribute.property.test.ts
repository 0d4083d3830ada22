import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Flag } from '../flags/flag.ts';
import type { Segment } from '../flags/segment.ts';
import { documentsArbitrary } from '../testing/arbitraries/environment.ts';
import { userArbitrary } from '../testing/arbitraries/user.ts';
import { compileEnvironment } from '../testing/evaluate.ts';
import { runs } from '../testing/runs.ts';
import { KeyIdMissing } from './attribute.ts';
import type { CompiledFlag } from './flag.ts';
import type { Outcome } from './outcome.ts';

/** Keys that no flag and no segment has. */
const OTHERS = Array.from({ length: 64 }, (_, n) => `nobody-${n}`);

function evaluate(flag: CompiledFlag, user: Parameters<CompiledFlag['evaluate']>[0]): Outcome | undefined {
  try {
    return flag.evaluate(user);
  } catch (error) {
    expect(error).toBeInstanceOf(KeyIdMissing);
    return undefined;
  }
}

test('a user without a key gets what every user without a target gets, or no outcome', () => {
  const seen = { served: 0, missing: 0 };
  const law = fc.property(documentsArbitrary(3), userArbitrary, ({ flags, segments }, user) => {
    for (const flag of compileEnvironment(flags, { segments }).flags) {
      const outcome = evaluate(flag, { ...user, keyId: '' });
      seen[outcome ? 'served' : 'missing'] += 1;
      const others = new Set(OTHERS.map((keyId) => flag.evaluate({ ...user, keyId }).variationId));
      if (outcome) expect([...others]).toEqual([outcome.variationId]);
    }
  });
  fc.assert(law, { numRuns: runs(300) });
  expect(Math.min(seen.served, seen.missing)).toBeGreaterThan(0);
});

test('a user without a key has an outcome of each flag that needs no key', () => {
  let seen = 0;
  const law = fc.property(documentsArbitrary(3), userArbitrary, ({ flags, segments }, user) => {
    const needsKey = ({ rules }: Flag | Segment) => JSON.stringify(rules).includes('"keyId"');
    const keyed = segments.filter(needsKey).map(({ id }) => id);
    const plain = flags.filter(
      (flag) =>
        !needsKey(flag) &&
        !keyed.some((id) => JSON.stringify(flag.rules).includes(id)) &&
        [flag.fallthrough, ...flag.rules].every(({ variations }) =>
          variations.every(({ rollout }) => rollout[0] === 0 && rollout[1] === 1),
        ),
    );
    seen += plain.length;
    for (const flag of compileEnvironment(plain, { segments }).flags) {
      expect(evaluate(flag, { ...user, keyId: '' })).toBeDefined();
    }
  });
  fc.assert(law, { numRuns: runs(100) });
  expect(seen).toBeGreaterThan(0);
});
