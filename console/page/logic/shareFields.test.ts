import { expect, test } from '@jest/globals';
import { withRollout } from '../../../shared/flags/edits/flagEdits.ts';
import { everybody } from '../../../shared/flags/shares.ts';
import { aFlag } from '../testing/documents.ts';
import { onlyVariation, shareFields, sumOfShares, withShares, withTyped } from './shareFields.ts';

const flag = aFlag();
const percents = (texts: readonly string[]) =>
  shareFields(flag, flag.fallthrough).map((field, index) => ({ ...field, percent: texts[index] ?? '' }));

test('the shares of a rollout come first, in their order, then variations without one', () => {
  const divided = withRollout(flag, { shares: ['false=30', 'true=70'] }).fallthrough;
  expect(shareFields(flag, divided).map(({ name, percent }) => `${name} ${percent}`)).toEqual(['false 30', 'true 70']);
  expect(shareFields(flag, flag.fallthrough).map(({ name, percent }) => `${name} ${percent}`)).toEqual([
    'false 100',
    'true 0',
  ]);
});

test('percentages are summed as they are typed', () => {
  expect(sumOfShares(percents(['33.33', '66.67']))).toBe(100);
  expect(sumOfShares(percents(['33.3', '']))).toBe(33.3);
  expect(sumOfShares(percents(['33.333', '1']))).toBeNaN();
  expect(sumOfShares(percents(['-1', '101']))).toBeNaN();
});

test('fills in the other one of two shares', () => {
  const typedIn = (percent: string, typed: readonly string[] = []) =>
    withTyped(percents(['100', '0']), { variationId: 'off', percent }, new Set(typed)).map((each) => each.percent);
  expect(typedIn('20')).toEqual(['20', '80']);
  expect(typedIn('33.33', ['off'])).toEqual(['33.33', '66.67']);
  expect(typedIn('20', ['on'])).toEqual(['20', '0']);
  expect([typedIn('101'), typedIn('a'), typedIn('12.345')]).toEqual([
    ['101', '0'],
    ['a', '0'],
    ['12.345', '0'],
  ]);
  const three = [...percents(['100', '0']), { variationId: 'c', name: 'c', percent: '0' }];
  expect(withTyped(three, { variationId: 'off', percent: '20' }, new Set())).toMatchObject([
    { percent: '20' },
    { percent: '0' },
    { percent: '0' },
  ]);
});

test('typed percentages are a rollout, or refused with their sum', () => {
  expect(withShares(flag, flag.fallthrough, percents(['12.5', '87.5'])).variations).toEqual([
    { id: 'off', rollout: [0, 0.125], exptRollout: 1 },
    { id: 'on', rollout: [0.125, 1], exptRollout: 1 },
  ]);
  expect(() => withShares(flag, flag.fallthrough, percents(['50', '40']))).toThrow('the shares sum to 90 %');
});

test('everybody may get one variation', () => {
  expect(onlyVariation({ variations: everybody('on') })).toBe('on');
  expect(onlyVariation(withRollout(flag, { shares: ['true=1', 'false=99'] }).fallthrough)).toBeUndefined();
});
