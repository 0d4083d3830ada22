import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { documentsArbitrary } from '../testing/arbitraries/environment.ts';
import { aCondition, aFlag, aRollout, aRule, share } from '../testing/builders.ts';
import { differences, formatDifference } from './difference.ts';

const lines = (before: unknown, after: unknown) => differences(before, after).map(formatDifference);

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
      'fallthrough.variations.off: nothing → {"id":"off","rollout":[0.1,1],"exptRollout":1}',
      'tags: [] → ["a"]',
    ]);
  });

  test('show moved items by name, and cut long values', () => {
    const rules = [aRule([], { id: '1', name: 'One' }), aRule([], { id: '2', name: 'Two' })];
    expect(lines(aFlag({ rules }), aFlag({ rules: rules.toReversed() }))).toEqual(['rules: One, Two → Two, One']);
    expect(lines({ a: 'x'.repeat(500) }, { a: 1 })[0]).toHaveLength('a: '.length + 120 + ' → 1'.length);
  });

  test('match items by id, also if another item takes the name', () => {
    const rule = (id: string, name: string) => aRule([], { id, name });
    const before = aFlag({ rules: [rule('1', 'Beta'), rule('2', 'Gone'), rule('3', 'Kept')] });
    const after = aFlag({ rules: [rule('1', 'Gone'), rule('4', 'Kept')] });
    expect(lines(before, after)).toEqual([
      'rules.Gone.name: Beta → Gone',
      expect.stringMatching(/^rules[.]2: [{].*Gone.* → nothing$/),
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
});
