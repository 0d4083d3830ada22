import { describe, expect, test } from '@jest/globals';
import { aFlag, aRollout, aRule, aSegment, share } from '../../testing/builders.ts';
import { countReads } from '../../testing/countReads.ts';
import { changedRollout, findVariation, formatShares, nameOfVariation } from '../shares.ts';
import { newFlag, withoutTarget, withRollout } from './flagEdits.ts';
import { findRule, insertRule, nameForRule, replaceRule, withoutRule } from './ruleEdits.ts';
import { excluding, findSegment, including, leavingToRules, requireFreeName } from './segmentEdits.ts';
import { withChangedVariation, withoutVariation, withVariation } from './variationEdits.ts';

const uuid = () => {
  let n = 0;
  return () => `id-${n++}`;
};

describe('a new flag', () => {
  test('is off, and checks each value against its type', () => {
    const make = (variationType: 'boolean' | 'number' | 'json' | 'string', ...values: string[]) =>
      newFlag(uuid(), { key: 'f', name: 'F', variationType, values });
    expect(make('boolean', 'true', 'false')).toMatchObject({ isEnabled: false, disabledVariationId: 'id-1' });
    expect(make('json', '{"a":1}', '[]', 'null').variations).toHaveLength(3);
    expect(make('number', '-1', '1e3', '0.5').variations).toHaveLength(3);
    expect(make('string', '').variations).toHaveLength(1);
    expect(() => make('number', 'abc')).toThrow('"abc" is not a number, for example 12.5');
    for (const text of ['', ' 1', '0x10', 'Infinity', '1e999']) {
      expect(() => make('number', text)).toThrow(/is not a number|must be written as 1/);
    }
    expect(() => make('json', '{"a":1')).toThrow('is not valid JSON');
    expect(() => make('boolean', 'yes')).toThrow('"yes" is not true or false');
    expect(() => make('string', 'blue', 'red', 'blue')).toThrow(
      'flag "f" is not valid: it has two variations "blue" with the same value',
    );
    expect(() => make('number', '1', '2', '1.0')).toThrow('it has two variations "1.0" with the same value');
    for (const key of ['.', '..', 'toString']) {
      expect(() => newFlag(uuid(), { key, name: '', variationType: 'string', values: ['a'] })).toThrow(
        `flag "${key}" is not valid: `,
      );
    }
    expect(() => newFlag(uuid(), { key: 'no spaces', name: '', variationType: 'string', values: ['a'] })).toThrow(
      'flag "no spaces" is not valid: key: must be',
    );
  });
});

describe('a rollout', () => {
  const flag = aFlag({ exptIncludeAllTargets: true, rules: [aRule([], { id: 'r' })] });

  test('is one variation for everybody, or shares that sum to 100 %', () => {
    const shares = (...texts: string[]) => changedRollout(flag, flag.fallthrough, { shares: texts }).variations;
    expect(shares('off')).toEqual([share('off')]);
    expect(shares('on=33.33', 'off=66.67').map(({ rollout }) => rollout)).toEqual([
      [0, 0.3333],
      [0.3333, 1],
    ]);
    expect(shares('on=0', 'off=100')).toEqual([share('off')]);
    expect(() => shares('on=50')).toThrow('the shares sum to 50 %');
    expect(() => shares('maybe=100')).toThrow('its variations are: On, Off');
    expect(() => shares('on', 'off')).toThrow('"on" is not a share');
    expect(() => shares('on=33.3333', 'off=66.6667')).toThrow(
      '"on=33.3333" has too many decimals; a percentage takes at most 2, such as true=33.33',
    );
  });

  test('a variation whose name looks like a share is meant by its name', () => {
    const named = aFlag({ variations: [{ id: 'a', name: 'x=100', value: 'v' }, ...flag.variations] });
    expect(changedRollout(named, named.fallthrough, { shares: ['x=100'] }).variations).toEqual([share('a')]);
  });

  test('gives no variation two shares', () => {
    const set = (change: object) => () => changedRollout(flag, flag.fallthrough, change);
    const twice = 'variation "On" has two shares; give each variation one';
    expect(set({ shares: ['on=30', 'on=70'] })).toThrow(twice);
    expect(set({ shares: ['on=30', 'true=70'] })).toThrow(twice);
    expect(set({ shares: ['On=0', 'on=100'] })).toThrow(twice);
    expect(set({ experiment: ['on=1', 'On=2'] })).toThrow(twice);
  });

  test('is written as it is read', () => {
    expect(formatShares(flag, aRollout(share('on')))).toBe('On');
    expect(formatShares(flag, aRollout(share('on', 0, 0.125), share('gone', 0.125, 1)))).toBe('On=12.5 gone=87.5');
  });

  test('sends the shares of an experiment that are given, and no others', () => {
    const rule = flag.rules[0];
    const change = { shares: ['on=40', 'off=60'], by: 'country', experiment: ['on=10'] };
    const changed = withRollout(flag, change, rule);
    expect(changed.exptIncludeAllTargets).toBe(false);
    expect(changed.fallthrough).toEqual(flag.fallthrough);
    expect(changed.rules[0]).toMatchObject({ id: 'r', dispatchKey: 'country', includedInExpt: true });
    expect(changed.rules[0]?.variations.map(({ exptRollout }) => exptRollout)).toEqual([0.1, 0]);
    expect(() => withRollout(flag, { ...change, experiment: ['on=41'] })).toThrow(
      '41 % of the users cannot be sent to the experiment with On: only 40 % get it',
    );
    expect(withRollout(flag, { by: 'country' })).toMatchObject({ exptIncludeAllTargets: true });
  });

  test('rounds a range to 0.01 % before it compares the share of an experiment', () => {
    const split = aRollout(share('on', 0, 1 / 3), share('off', 1 / 3, 0.66668), share('on', 0.66668, 1));
    const fine = { ...flag, fallthrough: { ...flag.fallthrough, ...split } };
    const changed = withRollout(fine, { experiment: ['on=66.67'] });
    expect(changed.fallthrough.variations.map(({ exptRollout }) => exptRollout)).toEqual([0.6667, 0, 0.6667]);
    expect(() => withRollout(fine, { experiment: ['on=66.68'] })).toThrow('only 66.67 % get it');
    expect(() => withRollout(fine, { experiment: ['off=33.34'] })).toThrow('only 33.33 % get it');
  });
});

describe('rules', () => {
  const [a, b, c] = ['a', 'b', 'b'].map((name, n) => ({ id: `${n}-id`, name }));
  const rules = [a, b, c].filter((rule) => rule !== undefined);

  test('are found by name, id and place', () => {
    expect(findRule(rules, 'a', 'x')).toBe(a);
    expect(findRule(rules, '1-id', 'x')).toBe(b);
    expect(findRule(rules, '3', 'x')).toBe(c);
    expect(() => findRule(rules, 'b', 'flag "x"')).toThrow(
      'several rules of flag "x" are named "b"; use a position: 2, 3',
    );
    expect(() => findRule(rules, '4', 'flag "x"')).toThrow('its rules are: 1 "a", 2 "b", 3 "b"');
    expect(() => findRule([], 'a', 'flag "x"')).toThrow('its rules are: none');
  });

  test('are put at a place, moved and taken away', () => {
    const names = (list: readonly { id: string }[]) => list.map(({ id }) => id[0]).join('');
    const rule = { id: 'n', name: 'n' };
    expect(names(insertRule(rules, rule))).toBe('012n');
    expect(names(insertRule(rules, rule, '1'))).toBe('n012');
    expect(names(insertRule(rules, rule, '4'))).toBe('012n');
    for (const place of ['0', '5', '1.5', 'first']) {
      expect(() => insertRule(rules, rule, place)).toThrow('give a number from 1 to 4');
    }
    expect(names(withoutRule(rules, findRule(rules, '2', '')))).toBe('02');
    expect(names(replaceRule(rules, findRule(rules, '2', ''), rule))).toBe('0n2');
  });

  test('have names of their own', () => {
    expect(nameForRule(rules)).toBe('Rule 4');
    expect(nameForRule([{ id: '', name: 'Rule 2' }])).toBe('Rule 3');
    expect(() => nameForRule(rules, 'a')).toThrow('a rule named "a" already exists');
  });
});

describe('a variation’s name', () => {
  const named = (...variations: readonly (readonly [id: string, name: string | undefined, value: string])[]) =>
    aFlag({
      variations: variations.map(([id, name, value]) => ({ id, ...(name === undefined ? {} : { name }), value })),
    });

  test('is an id, else a name, else a value, else what is shown', () => {
    const flag = named(['a', 'b', 'c'], ['b', 'c', 'd'], ['x', '', ' e '], ['y', ' ', 'f'], ['z', undefined, '']);
    const find = (text: string) => findVariation(flag, text).id;
    expect(['a', 'b', 'c', 'd', ' e ', 'e', 'f', ''].map(find)).toEqual(['a', 'b', 'b', 'b', 'x', 'x', 'y', 'z']);
    for (const unknown of ['A', 'D', '1']) expect(() => find(unknown)).toThrow(`has no variation "${unknown}"`);
  });

  test('is an error if several have it, with their ids', () => {
    const names = named(['a', 'x', '1'], ['b', 'x', '2'], ['c', 'z', 'x']);
    expect(() => findVariation(names, 'x')).toThrow(
      'several variations of flag "a-flag" are named "x"; use an id: a, b',
    );
    const values = named(['a', 'n', 'x'], ['b', '', 'x']);
    expect(() => findVariation(values, 'x')).toThrow('use an id: a, b');
    expect(() => changedRollout(values, values.fallthrough, { shares: ['x'] })).toThrow('use an id: a, b');
    expect(() => changedRollout(values, values.fallthrough, { shares: ['x=1', 'n=99'] })).toThrow('use an id: a, b');
  });

  test('is shown as the value if it is blank, and with the id if another looks equal', () => {
    const shown = (flag: ReturnType<typeof named>) => flag.variations.map(({ id }) => nameOfVariation(flag, id));
    expect(shown(named(['a', '', 'true'], ['b', ' ', 'false'], ['c', undefined, '']))).toEqual([
      'true',
      'false',
      '(empty)',
    ]);
    expect(shown(named(['a', 'x', '1'], ['b', '', 'x '], ['c', 'y', '1']))).toEqual(['x (a)', 'x (b)', 'y']);
    expect(nameOfVariation(named(['a', 'long name', '1'], ['b', 'long days', '1']), 'b', 5)).toBe('long … (b)');
    expect(nameOfVariation(named(), 'gone')).toBe('gone');
  });
});

describe('variations', () => {
  const flag = aFlag({ variationType: 'string', fallthrough: aRollout(share('on')) });

  test('are added with a value of the type and a name of their own', () => {
    const added = withVariation(flag, { id: 'n', name: 'new', value: 'x' });
    expect(added.variations.map(({ id }) => id)).toEqual(['on', 'off', 'n']);
    expect(() => withVariation(flag, { id: 'n', name: 'On', value: 'x' })).toThrow('already has a variation "On"');
    expect(() => withVariation(flag, { id: 'n', name: 'n', value: 'true' })).toThrow('already');
    expect(() => withVariation(aFlag(), { id: 'n', name: 'n', value: 'x' })).toThrow('is not true or false');
  });

  test('are refused if their number is there, as 1.0 is next to 1', () => {
    const numbers = aFlag({ variationType: 'number', variations: [{ id: 'a', name: 'one', value: '1' }] });
    for (const value of ['1.0', '1e0', '10e-1', '01']) {
      expect(() => withVariation(numbers, { id: 'n', name: 'n', value })).toThrow(/already|must be written/);
    }
    expect(withVariation(numbers, { id: 'n', name: 'n', value: '-1' }).variations).toHaveLength(2);
    const both = { ...numbers, variations: [...numbers.variations, { id: 'b', name: 'b', value: '1.0' }] };
    expect(withChangedVariation(both, findVariation(both, 'one'), { name: 'uno' }).variations[0]?.name).toBe('uno');
    const unnamed = { ...both, variations: both.variations.map((each) => ({ ...each, name: '' })) };
    expect(withChangedVariation(unnamed, findVariation(unnamed, '1'), { value: '2' }).variations[0]?.value).toBe('2');
  });

  test('are changed in their place', () => {
    const changed = withChangedVariation(flag, findVariation(flag, 'Off'), { value: 'never' });
    expect(changed.variations[1]).toEqual({ id: 'off', name: 'Off', value: 'never' });
    expect(() => withChangedVariation(flag, findVariation(flag, 'off'), { value: 'true' })).toThrow('already');
  });

  test('are removed only where nobody can get them', () => {
    const everywhere = {
      ...withVariation(flag, { id: 'n', name: 'n', value: 'n' }),
      targetUsers: [{ variationId: 'off', keyIds: ['u'] }],
      rules: [aRule([], { name: 'Beta' })],
    };
    expect(() => withoutVariation(everywhere, findVariation(everywhere, 'off'))).toThrow(
      'it is served while the flag is off, to targeted users, by rule "Beta"',
    );
    expect(() => withoutVariation(everywhere, findVariation(everywhere, 'on'))).toThrow('when no rule matches');
    const untargeted = { ...everywhere, targetUsers: [{ variationId: 'n', keyIds: [] }] };
    expect(withoutVariation(untargeted, findVariation(untargeted, 'n'))).toMatchObject({
      variations: flag.variations,
      targetUsers: [],
    });
  });
});

describe('segments', () => {
  test('include, exclude and leave users to the rules', () => {
    const segment = aSegment({ included: ['a'], excluded: ['b'] });
    expect(including(segment, ['a', 'b'])).toMatchObject({ included: ['a', 'b'], excluded: [] });
    expect(excluding(segment, ['a'])).toMatchObject({ included: [], excluded: ['b', 'a'] });
    expect(leavingToRules(segment, ['a', 'b'])).toMatchObject({ included: [], excluded: [] });
  });

  test('are found by name or id, and no two have one name', () => {
    const [one, two] = [aSegment({ id: '1', name: 'x' }), aSegment({ id: '2', name: 'x', isArchived: true })];
    expect(findSegment([one, two], '2')).toBe(two);
    expect(() => findSegment([one, two], 'x')).toThrow('several segments are named "x"; use an id: 1, 2');
    const named2 = aSegment({ id: '3', name: '2' });
    expect(findSegment([named2, two], '2')).toBe(two);
    expect(() => findSegment([], 'x')).toThrow('there is no segment "x"');
    expect(() => requireFreeName([one], '3', 'x')).toThrow('a segment named "x" already exists; its id is 1');
    expect(() => requireFreeName([two], '3', 'x')).toThrow('is archived');
    expect(() => requireFreeName([one], '3', '1')).toThrow('already');
    expect(() => requireFreeName([one], '1', 'x')).not.toThrow();
  });
});

test('users leave their targets in time in proportion to their number', () => {
  const readsOf = (n: number) => {
    const keyIds = Array.from({ length: n }, (_, index) => `u${index}`);
    const targetUsers = [{ variationId: 'on', keyIds }];
    return countReads({ flag: aFlag({ targetUsers }), keyIds }, (counted) =>
      withoutTarget(counted.flag, counted.keyIds),
    );
  };
  expect(readsOf(400) / readsOf(100)).toBeLessThan(4.2);
});
