import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { documentsArbitrary } from '../testing/arbitraries/environment.ts';
import { aCondition, aFlag, aRollout, aRule, share } from '../testing/builders.ts';
import { countReads } from '../testing/countReads.ts';
import { differences } from './difference.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const lines = (before: unknown, after: unknown) =>
  differences(before, after).map((each) => `${each.path}: ${text(each.before)} → ${text(each.after)}`);

describe('the differences of two documents', () => {
  test('have a line for each field, at any depth', () => {
    const rule = aRule([aCondition('age', 'BiggerThan', '18')], { name: 'Adults' });
    const flag = aFlag({ rules: [rule] });
    const changed = aFlag({
      isEnabled: false,
      tags: ['a'],
      rules: [{ ...rule, conditions: [aCondition('age', 'BiggerThan', '21')] }],
      fallthrough: aRollout(share('on', 0, 0.1), share('off', 0.1, 1)),
    });
    expect(lines(flag, changed)).toEqual([
      'rules.Adults.conditions.condition-1.value: 18 → 21',
      'isEnabled: true → false',
      'fallthrough.variations.on.rollout: [0,1] → [0,0.1]',
      'fallthrough.variations.off: undefined → {"id":"off","rollout":[0.1,1],"exptRollout":1}',
      'tags: [] → ["a"]',
    ]);
  });

  test('show moved items by name', () => {
    const rules = [aRule([], { id: '1', name: 'One' }), aRule([], { id: '2', name: 'Two' })];
    expect(lines(aFlag({ rules }), aFlag({ rules: rules.toReversed() }))).toEqual(['rules: One, Two → Two, One']);
  });

  test('match items by id, also if another item takes the name', () => {
    const rule = (id: string, name: string) => aRule([], { id, name });
    const before = aFlag({ rules: [rule('1', 'Beta'), rule('2', 'Gone'), rule('3', 'Kept')] });
    const after = aFlag({ rules: [rule('1', 'Gone'), rule('4', 'Kept')] });
    expect(lines(before, after)).toEqual([
      'rules.Gone.name: Beta → Gone',
      expect.stringMatching(/^rules[.]2: [{].*Gone.* → undefined$/),
      'rules.Kept.id: 3 → 4',
    ]);
  });

  test('are empty for versions, and not for anything else', () => {
    expect(lines(aFlag(), aFlag({ updatedAt: '2030-01-01T00:00:00.000Z', envId: 'x' }))).toEqual([]);
    const content = (flag: object) => JSON.stringify({ ...flag, updatedAt: '', envId: '' });
    const law = fc.property(documentsArbitrary(2), ({ flags: [one = {}, other = {}] }) => {
      expect(differences(one, other).length > 0).toBe(content(one) !== content(other));
    });
    fc.assert(law);
  });

  test('tell an object from a list of the same items', () => {
    const item = { id: 'x' };
    expect(lines({ a: { x: item } }, { a: [item] })).toEqual(['a: {"x":{"id":"x"}} → [{"id":"x"}]']);
  });

  test('take time in proportion to the depth', () => {
    const nested = (depth: number, value: number): object => ({ a: depth === 0 ? value : nested(depth - 1, value) });
    const readsOf = (depth: number) =>
      countReads([nested(depth, 1), nested(depth, 2)] as const, ([before, after]) => differences(before, after));
    expect(readsOf(400) / readsOf(100)).toBeLessThan(4.2);
  });
});
