import { expect, test } from '@jest/globals';
import { aFlag } from '../../console/page/testing/documents.ts';
import type { Flag } from '../flags/flag.ts';
import type { TargetingRule } from '../flags/rule.ts';
import { aRollout, share } from '../testing/builders.ts';
import { servedText } from './servedText.ts';

const { rules } = aFlag();
const [customers, staff] = rules as [TargetingRule, TargetingRule];
const serving = (...variations: TargetingRule['variations']) => ({ ...customers, variations });
const plain: Partial<Flag> = { isEnabled: true, rules: [], targetUsers: [] };
const split = { fallthrough: aRollout(share('on', 0, 0.2), share('off', 0.2, 1)) };

test.each<[string, Partial<Flag>]>([
  ['false (off)', { isEnabled: false }],
  ['the default in your code', { isArchived: true, isEnabled: true }],
  ['false', plain],
  ['true 20 %, false 80 %', { ...plain, ...split }],
  ['true', { ...plain, fallthrough: aRollout(share('on', 0, 1), share('off', 1, 1)) }],
  ['true 33.33 %', { ...plain, fallthrough: aRollout(share('on', 0, 0.3333)) }],
  ['true for Customers and Staff, else false', { ...plain, rules }],
  [
    'false for 1 user, true for Customers, else true 20 %, false 80 %',
    { isEnabled: true, rules: rules.slice(0, 1), ...split },
  ],
  ['true for Customers, else 20 %', { ...plain, rules: rules.slice(0, 1), ...split }],
  [
    'true for 2 users and Customers, else 20 %',
    { ...plain, targetUsers: [{ variationId: 'on', keyIds: ['ann', 'bob'] }], rules: rules.slice(0, 1), ...split },
  ],
  [
    'false for Customers, true for Staff, else true 20 %, false 80 %',
    { ...plain, rules: [serving(share('off')), staff], ...split },
  ],
  [
    'true 20 % / false 80 % for Customers, else false',
    { ...plain, rules: [serving(share('on', 0, 0.2), share('off', 0.2, 1))] },
  ],
  [
    'true for Customers and Staff, 2 more, else true 20 %, false 80 %',
    { ...plain, rules: [...rules, staff, staff], ...split },
  ],
  [
    'true 30 %, false 70 %',
    { ...plain, fallthrough: aRollout(share('on', 0, 0.1), share('off', 0.1, 0.8), share('on', 0.8, 1)) },
  ],
  ['false for 1 user, else false', { isEnabled: true, rules: [] }],
  ['nothing', { ...plain, fallthrough: aRollout() }],
])('%s', (text, changed) => {
  expect(servedText(aFlag(changed))).toBe(text);
});

test('many variations are counted, and long names are cut', () => {
  const variations = [1, 2, 3, 4].map((n) => ({ id: `${n}`, name: n === 1 ? 'x'.repeat(30) : '', value: '' }));
  const shares = variations.map(({ id }, index) => share(id, index / 4, (index + 1) / 4));
  const flag = aFlag({ ...plain, variations, disabledVariationId: '1', fallthrough: aRollout(...shares) });
  const rule = { ...serving(share('1')), name: 'y'.repeat(30) };
  expect(servedText({ ...flag, rules: [rule] })).toBe(
    `${'x'.repeat(24)}… for ${'y'.repeat(24)}…, else 4 variations by percentage`,
  );
  expect(servedText(flag)).toBe('4 variations by percentage');
  expect(servedText({ ...flag, isEnabled: false })).toBe(`${'x'.repeat(24)}… (off)`);
  expect(servedText({ ...flag, isEnabled: false, disabledVariationId: '2' })).toBe('(empty) (2) (off)');
  expect(servedText({ ...flag, isEnabled: false, disabledVariationId: 'gone' })).toBe('gone (off)');
});
