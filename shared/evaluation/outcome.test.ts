import { describe, expect, test } from '@jest/globals';
import type { Flag } from '../flags/flag.ts';
import { aFlag, aRollout, aRule, aUser, share } from '../testing/builders.ts';
import { countReads } from '../testing/countReads.ts';
import { compileEnvironment, evaluateFlag } from '../testing/evaluate.ts';

const clientJson = (fields: Partial<Flag>) => evaluateFlag(aFlag(fields), aUser('u1')).clientJson;

describe('clientJson', () => {
  test('is a member of featureFlags, field by field', () => {
    expect(JSON.parse(clientJson({ variationType: 'boolean' }))).toEqual({
      id: 'a-flag',
      variation: 'true',
      variationType: 'boolean',
      variationId: 'on',
      matchReason: 'default',
      variationOptions: [
        { id: 'on', value: 'true' },
        { id: 'off', value: 'false' },
      ],
      sendToExperiment: true,
      timestamp: Date.parse('2024-01-02T03:04:05.678Z'),
    });
  });

  test('escapes whatever values, ids and names hold', () => {
    const nasty = '"\\\n\u2028\u0000</script> 用户 😀 \ud83d';
    const flag: Partial<Flag> = {
      variationType: 'json',
      variations: [{ id: nasty, value: nasty }],
      rules: [aRule([], { name: nasty, variations: [share(nasty)] })],
    };
    expect(JSON.parse(clientJson(flag))).toMatchObject({
      variation: nasty,
      variationId: nasty,
      matchReason: nasty,
      variationOptions: [{ id: nasty, value: nasty }],
    });
  });

  test.each<[string, Partial<Flag>, Record<string, unknown>]>([
    ['an archived flag', { isArchived: true }, { variation: null, variationId: null, matchReason: 'flag archived' }],
    ['an unknown variation', { fallthrough: aRollout(share('x')) }, { variation: null, variationId: null }],
    ['nobody’s bucket', { fallthrough: aRollout() }, { variation: '', variationId: '', matchReason: 'default' }],
  ])('says what %s comes to', (_, fields, expected) => {
    expect(JSON.parse(clientJson(fields))).toMatchObject(expected);
  });

  test('is made once for all users with the same result', () => {
    const flag = aFlag();
    const outcome = evaluateFlag(flag, aUser('u1'));
    expect(outcome.clientJson).toBe(outcome.clientJson);
  });
});

describe('a flag with many variations', () => {
  const sized = (n: number) => {
    const ids = Array.from({ length: n }, (_, index) => `v${index}`);
    const shares = ids.map((id, index) => share(id, index / n, (index + 1) / n));
    return aFlag({
      variations: ids.map((id) => ({ id, value: id })),
      targetUsers: ids.map((variationId) => ({ variationId, keyIds: [variationId] })),
      fallthrough: aRollout(...shares),
    });
  };

  test('compiles in time in proportion to their number', () => {
    const readsOf = (n: number) => countReads(sized(n), (flag) => compileEnvironment([flag]));
    expect(readsOf(200) / readsOf(50)).toBeLessThan(4.2);
  });

  test('serves the first variation of an id, like one with few', () => {
    const { variations } = sized(20);
    const first = { id: 'on', value: 'first' };
    for (const others of [[], variations]) {
      const flag = aFlag({ variations: [first, { ...first, value: 'second' }, ...others] });
      expect(evaluateFlag(flag, aUser('u1')).value).toBe('first');
    }
  });

  test('has JSON that is not kept for each of its shares', () => {
    for (const [n, isKept] of [
      [100, true],
      [101, false],
    ] as const) {
      const readsOf = (times: number) =>
        countReads(sized(n), (flag) => {
          const outcome = evaluateFlag(flag, aUser('u1'));
          for (let time = 0; time < times; time++) expect(outcome.clientJson).toContain(`"v${n - 1}"`);
        });
      expect(readsOf(2) - readsOf(1) < n).toBe(isKept);
    }
  });
});
