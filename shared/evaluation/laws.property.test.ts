import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Flag } from '../flags/flag.ts';
import { NOT_IN_SEGMENT } from '../flags/rule.ts';
import { documentsArbitrary } from '../testing/arbitraries/environment.ts';
import { flagArbitrary, partitionArbitrary } from '../testing/arbitraries/flag.ts';
import { anyText } from '../testing/arbitraries/text.ts';
import { keyIdArbitrary, userArbitrary } from '../testing/arbitraries/user.ts';
import { aCondition, aFlag, aRollout, aRule, aSegment, aUser, share } from '../testing/builders.ts';
import { compileEnvironment, evaluateFlag, resultsByKey } from '../testing/evaluate.ts';
import { runs } from '../testing/runs.ts';
import { bucketOf, includesBucket } from './bucket.ts';

const users = fc.array(userArbitrary, { minLength: 5, maxLength: 5 });

describe('buckets', () => {
  test('lie in [0,1] and depend on nothing but the key', () => {
    const law = fc.property(anyText(), (key) => {
      const bucket = bucketOf(key);
      expect(bucket >= 0 && bucket <= 1).toBe(true);
      expect(bucketOf(key)).toBe(bucket);
    });
    fc.assert(law);
  });

  test('are spread evenly', () => {
    const tenths = new Array<number>(10).fill(0);
    for (let n = 0; n < 10_000; n++) {
      const tenth = Math.min(9, Math.floor(bucketOf(`price-testuser-${n}`) * 10));
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});

describe('a rollout', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const variations = ids.map((id) => ({ id, value: id }));
  const flagServing = (...shares: Parameters<typeof aRollout>) =>
    aFlag({ variations, fallthrough: aRollout(...shares) });

  test('takes every user exactly once if its shares cover all users', () => {
    const law = fc.property(partitionArbitrary(ids), keyIdArbitrary, (shares, keyId) => {
      const bucket = bucketOf(`a-flag${keyId}`);
      fc.pre(shares.every(({ rollout }) => !rollout.includes(bucket)));
      const taking = shares.filter(({ rollout: [lower, upper] }) => includesBucket([lower, upper], bucket));
      expect(taking).toHaveLength(1);
      expect(evaluateFlag(flagServing(...shares), aUser(keyId)).variationId).toBe(taking[0]?.id);
    });
    fc.assert(law, { numRuns: runs(500) });
  });

  test('takes no user’s variation away when it grows', () => {
    const percent = fc.integer({ min: 0, max: 100 });
    const law = fc.property(percent, percent, keyIdArbitrary, (one, other, keyId) => {
      const [small, large] = [Math.min(one, other) / 100, Math.max(one, other) / 100];
      const served = (upper: number) =>
        evaluateFlag(flagServing(share('a', 0, upper), share('b', upper, 1)), aUser(keyId)).variationId;
      if (served(small) === 'a') expect(served(large)).toBe('a');
      if (served(large) === 'b') expect(served(small)).toBe('b');
    });
    fc.assert(law, { numRuns: runs(500) });
  });
});

describe('an evaluation', () => {
  test('is the same every time, and the same whatever other flags there are', () => {
    const law = fc.property(documentsArbitrary(4), users, ({ flags, segments }, everybody) => {
      const together = compileEnvironment(flags, { segments });
      const backwards = compileEnvironment(flags.toReversed(), { segments: segments.toReversed() });
      for (const user of everybody) {
        const results = resultsByKey(together, user);
        expect(resultsByKey(together, user)).toEqual(results);
        expect(new Map([...resultsByKey(backwards, user)].sort())).toEqual(new Map([...results].sort()));
        for (const flag of flags) expect(evaluateFlag(flag, user, { segments }).clientJson).toBe(results.get(flag.key));
      }
    });
    fc.assert(law, { numRuns: runs(150) });
  });

  test('is untouched by a broken flag and a broken segment', () => {
    const bad = [aCondition('email', 'NotMatchRegex', '('), aCondition(NOT_IN_SEGMENT, null, '["gone"]')];
    const badFlag: Flag = aFlag({ key: 'broken', fallthrough: aRollout(share('gone')), rules: [aRule(bad)] });
    const badSegment = aSegment({ id: 'broken', rules: [{ id: 'r', name: 'R', conditions: bad }] });
    const law = fc.property(documentsArbitrary(4), users, ({ flags, segments }, everybody) => {
      const healthy = compileEnvironment(flags, { segments });
      const broken = compileEnvironment([badFlag, ...flags], { segments: [...segments, badSegment] });
      for (const user of everybody) {
        const results = resultsByKey(broken, user);
        for (const [key, json] of resultsByKey(healthy, user)) expect(results.get(key)).toBe(json);
      }
    });
    fc.assert(law, { numRuns: runs(150) });
  });

  test('leaves documents and users as they are', () => {
    const law = fc.property(flagArbitrary([]), userArbitrary, (flag, user) => {
      const before = structuredClone({ flag, user });
      evaluateFlag(flag, user);
      expect({ flag, user }).toEqual(before);
    });
    fc.assert(law);
  });

  test('says in JSON what it says in fields', () => {
    const law = fc.property(flagArbitrary([]), userArbitrary, (flag, user) => {
      const { clientJson, value, variationId, reason, sendToExperiment } = evaluateFlag(flag, user);
      expect(JSON.parse(clientJson)).toEqual({
        id: flag.key,
        variation: value,
        variationType: flag.variationType,
        variationId,
        matchReason: reason,
        variationOptions: flag.variations.map((variation) => ({ id: variation.id, value: variation.value })),
        sendToExperiment,
        timestamp: Date.parse(flag.updatedAt),
      });
    });
    fc.assert(law, { numRuns: runs(300) });
  });
});
