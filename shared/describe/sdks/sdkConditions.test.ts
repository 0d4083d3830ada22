import { describe, expect, test } from '@jest/globals';
import { sdkConditions } from '../../testing/fixtures.ts';
import { compareWithSdk, SDKS } from './sdkConditions.ts';

const { texts, conditions } = sdkConditions();
const ANSWERS = new Map<unknown, string>([
  [true, '1'],
  [false, '0'],
  ['no value', '!'],
]);

describe.each(SDKS)('conditions in the SDK for %s', (sdk) => {
  test('have the measured result, unless the expression or list is not portable', () => {
    const wrong: unknown[] = [];
    const seen = { known: 0, differing: 0 };
    for (const { op, value, Flagwire: own, [sdk]: measured = own } of conditions) {
      texts.forEach((text, n) => {
        const found = compareWithSdk(sdk, op, value, text);
        const expected = [own[n], measured[n]];
        if (found.answer === 'unknown') return;
        seen.known += 1;
        if (own[n] !== measured[n]) seen.differing += 1;
        const got = [ANSWERS.get(found.own), ANSWERS.get(found.answer)];
        if (String(got) !== String(expected)) wrong.push({ op, value, text, expected, got });
      });
    }
    expect(wrong).toEqual([]);
    expect(seen.known).toBeGreaterThan(0.8 * texts.length * conditions.length);
    expect(seen.differing).toBeGreaterThan(100);
  });
});
