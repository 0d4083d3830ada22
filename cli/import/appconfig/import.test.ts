import { describe, expect, test } from '@jest/globals';
import { aUser } from '../../../shared/testing/builders.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { WrongForm } from '../translation/values.ts';
import { importFromAppConfig } from './import.ts';

const importValue = (value: unknown, flag: unknown = {}) =>
  importFromAppConfig({ version: '1', flags: { f: flag }, values: { f: value } });
const variants = (...rules: readonly (string | undefined)[]) => ({
  _variants: rules.map((rule, n) => ({ name: `v${n}`, enabled: n < rules.length - 1, ...(rule && { rule }) })),
});
const importRules = (...rules: readonly string[]) => importValue(variants(...rules, undefined));
const reasonOf = (...rules: readonly string[]) =>
  importRules(...rules).leftOut.map((line) => line.replace('f: not supported: ', ''));
const conditionsOf = (...rules: readonly string[]) =>
  importRules(...rules).flags.flatMap((flag) => flag.rules.map(({ conditions }) => conditions));
const sharesOf = (...rules: readonly string[]) => {
  const [flag] = importRules(...rules).flags;
  return [...(flag?.rules ?? []), flag?.fallthrough].map((served) =>
    served?.variations.map(({ id, rollout: [from, to] }) => `${id} ${Math.round((to - from) * 1000) / 10}`).join(', '),
  );
};

describe('a basic flag', () => {
  test('without attributes is boolean, and on or off', () => {
    const { flags, differences, leftOut } = importFromAppConfig({
      version: '1',
      flags: { a: { name: 'The name', description: 'What it does' }, b: {} },
      values: { a: { enabled: true }, b: { enabled: false, _createdAt: '2026-01-01T00:00:00Z' } },
    });
    expect({ differences, leftOut }).toEqual({ differences: [], leftOut: [] });
    expect(flags).toMatchObject([
      { key: 'a', name: 'The name', description: 'What it does', variationType: 'boolean', isEnabled: true },
      { key: 'b', name: 'b', isEnabled: false, disabledVariationId: 'false' },
    ]);
    const values = compileEnvironment(flags).flags.map((flag) => flag.evaluate(aUser('u')).value);
    expect(values).toEqual(['true', 'false']);
  });

  test('with attributes is JSON as the agent answers it, without them when off', () => {
    const value = { enabled: true, size: 5, names: ['a', 'b'], text: 'x' };
    const [flag] = importValue(value).flags;
    expect(flag).toMatchObject({ variationType: 'json', isEnabled: true, disabledVariationId: 'off' });
    expect(flag?.variations).toMatchObject([
      { id: 'on', value: JSON.stringify(value) },
      { id: 'off', value: '{"enabled":false}' },
    ]);
  });

  test('with attributes in its definition says that constraints are not checked', () => {
    const flag = { attributes: { size: { constraints: { type: 'number', maximum: 9 } } } };
    const line = 'f: has constraints of attributes, which are not checked here';
    expect(importValue({ enabled: true }, flag)).toMatchObject({
      differences: [line],
      flags: [{ variationType: 'json' }],
    });
    expect(importValue({ enabled: true, size: 5 }).differences).toEqual([]);
  });
});

describe('a rule', () => {
  test.each([
    ['(eq $country "US")', [[{ property: 'country', op: 'IsOneOf', value: '["US"]' }]]],
    ['(in $userId ["123", "456"])', [[{ property: 'userId', op: 'IsOneOf', value: '["123","456"]' }]]],
    ['(eq $targetingKey "ann")', [[{ property: 'keyId', op: 'IsOneOf', value: '["ann"]' }]]],
    ['(not (eq $age 18.0))', [[{ property: 'age', op: 'NotOneOf', value: '["18"]' }]]],
    ['(ends_with $email "@a.com")', [[{ property: 'email', op: 'EndsWith', value: '@a.com' }]]],
    ['(contains $code "WIN")', [[{ property: 'code', op: 'Contains', value: 'WIN' }]]],
    [
      '(not (begins_with $s "A"))',
      [[{ property: 's', op: 'NotMatchRegex', value: expect.stringMatching(/\^\(\?:A\)/) }]],
    ],
    ['(matches pattern::"^h.*y$" in :: $s)', [[{ property: 's', op: 'MatchRegex', value: '^h.*y$' }]]],
    ['(exists key::"country")', [[{ property: 'country', op: 'NotEqual', value: '' }]]],
    ['( gte\n\t$age 1e2 )', [[{ property: 'age', op: 'BiggerEqualThan', value: '100' }]]],
    [
      '(not (lt $age 65))',
      [[{ property: 'age', op: 'BiggerEqualThan', value: '65' }], [{ property: 'age', op: 'Equal', value: '' }]],
    ],
    [
      '(and (eq $a "x") (or (eq $b "\\u0041") (exists key::"c")))',
      [
        [
          { property: 'a', op: 'IsOneOf', value: '["x"]' },
          { property: 'b', op: 'IsOneOf', value: '["A"]' },
        ],
        [
          { property: 'a', op: 'IsOneOf', value: '["x"]' },
          { property: 'c', op: 'NotEqual', value: '' },
        ],
      ],
    ],
  ])('%s becomes conditions', (rule, expected) => {
    expect(conditionsOf(rule)).toEqual(expected);
  });

  test.each([
    ['(gt $time 2026-11-29T10:00:00Z)', 'the value 2026-11-29T10:00:00Z'],
    ['(gt $name "m")', 'the operator gt with m'],
    ['(eq $a $b)', 'eq or in with b'],
    ['(eq "US" $country)', 'eq without a context value such as $userId'],
    ['(near $a "b")', 'the operator near with b'],
    ['(constructor $a "b")', 'the operator constructor with b'],
    ['(eq $a "b" "c")', 'eq with these operands'],
    ['(and)', 'and with these operands'],
    ['(exists $a)', 'exists with these operands'],
    ['(exists key::"a" key::"b")', 'exists with these operands'],
    ['(split pct::101 by::$a)', 'split without a percentage from 0 to 100'],
    ['(split pct::10 by::[$a, $b])', 'split without a context value such as $userId'],
    ['(matches in::$a pattern::"(?=x)")', expect.stringMatching(/^what is not a regular expression/)],
    ['(in $a "b")', 'the operator in with b'],
    ['(and $a true)', 'a instead of a condition'],
    ['(eq $1 "b")', 'the value $1'],
    ['(eq $keyId "b")', 'the attribute name "keyId", which is reserved here'],
    ["(eq $a 'b')", "the value 'b'"],
    ['(eq $a "\\x41")', 'the rule (eq $a "\\x41")'],
    ['(eq $a "b"', 'the rule (eq $a "b"'],
    ['(eq $a "b"))', 'the rule (eq $a "b"))'],
    ['(eq $a, "b")', 'the rule (eq $a, "b")'],
    ['(in $a ["b")]', 'the rule (in $a ["b")]'],
    ['(not key::)', 'the rule (not key::)'],
    [`${'(not '.repeat(60)}true${')'.repeat(60)}`, 'a rule with more than 50 nested parentheses'],
    [
      `(and ${Array.from({ length: 7 }, (_, n) => `(or (eq $a${n} "1") (eq $b${n} "1"))`).join(' ')})`,
      'a condition that takes more than 100 rules',
    ],
    [
      `(or ${Array.from({ length: 101 }, (_, n) => `(eq $a${n} "1")`).join(' ')})`,
      'a flag that takes more than 100 rules',
    ],
  ])('is left out by name: %#', (rule, reason) => {
    expect(reasonOf(rule)).toEqual([reason]);
  });
});

describe('a percentage', () => {
  const by = (percent: number, more = '') => `(split by::$userId pct::${percent}${more})`;

  test('has the shares of one hash, as AWS documents them', () => {
    expect(sharesOf(by(20))).toEqual(['v1 100', 'v0 20, v1 80']);
    expect(sharesOf(by(20), by(20)).at(-1)).toBe('v0 20, v2 80');
    expect(sharesOf(by(20), by(25)).at(-1)).toBe('v0 20, v1 5, v2 75');
    expect(sharesOf(by(25), `(not ${by(60)})`).at(-1)).toBe('v0 25, v2 35, v1 40');
    expect(sharesOf(`(and ${by(50)} (not ${by(20)}))`).at(-1)).toBe('v1 70, v0 30');
  });

  test('lets users without the attribute go on', () => {
    const [flag] = importRules(by(20)).flags;
    expect(flag?.rules[0]?.conditions).toEqual([{ property: 'userId', op: 'Equal', value: '' }]);
    expect(flag?.fallthrough.dispatchKey).toBe('userId');
    expect(importRules('(split by::$targetingKey pct::20)').flags[0]).toMatchObject({
      rules: [],
      fallthrough: { dispatchKey: null },
    });
  });

  test('under a condition leaves the other users to the rules that follow', () => {
    const rules = sharesOf(`(and (eq $g "a") ${by(10)})`, '(eq $g "b")', `(and (eq $h "c") ${by(40)})`);
    const lacking = expect.stringMatching(/ 100$/);
    expect(rules).toEqual([
      ...[lacking, 'v0 10, v2 30, v3 60'],
      ...[lacking, 'v0 10, v3 90'],
      'v1 100',
      ...[lacking, 'v2 40, v3 60'],
      'v3 100',
    ]);
  });

  test('is left out if another hash follows for the same users', () => {
    const reason = 'percentages by different seeds or context values, of the same users';
    expect(reasonOf(by(20), by(30, ' seed::"s"'))).toEqual([reason]);
    expect(reasonOf(by(20), '(split by::$email pct::20)')).toEqual([reason]);
    const exclusive = ['a', 'b'].map((group) => `(and (eq $g "${group}") ${by(30, ` seed::"${group}"`)})`);
    expect(reasonOf(...exclusive)).toEqual([]);
  });
});

describe('a member that AWS AppConfig refuses or does not document', () => {
  const one = { name: 'a', enabled: true };
  test.each<[value: unknown, reason: string]>([
    [{}, 'enabled: must be true or false, but is missing'],
    [{ enabled: 'true' }, 'enabled: must be true or false, but is a string'],
    [{ enabled: null }, 'enabled: must be true or false, but is null'],
    [[], 'the value must be an object, but is an array'],
    [{ _variants: [] }, 'variants of which not only the last has no rule'],
    [{ _variants: {} }, '_variants: must be an array, but is an object'],
    [{ _variants: [one, one] }, 'variants of which not only the last has no rule'],
    [{ _variants: [{ ...one, rule: 'true' }] }, 'variants of which not only the last has no rule'],
    [{ _variants: [{ ...one, name: 5 }] }, '_variants[0].name: must be a string, but is a number'],
    [{ _variants: [{ ...one, rule: null }] }, '_variants[0].rule: must be a string, but is null'],
    [{ _variants: [{ ...one, segment: 's' }] }, '_variants[0].segment: is unknown to AWS AppConfig'],
    [
      { _variants: [{ ...one, attributeValues: ['a'] }] },
      '_variants[0].attributeValues: must be an object, but is an array',
    ],
    [{ enabled: false, _variants: [one] }, '_variants: must not be next to "enabled": false or attributes'],
    [{ size: 1, _variants: [one] }, '_variants: must not be next to "enabled": false or attributes'],
    [{ _variants: [{ ...one, rule: 'true' }, one] }, 'variations[1].id: "a" is also the id of an earlier variation'],
  ])('is left out by name: %j', (value, reason) => {
    const { leftOut } = importValue(value);
    expect(leftOut.map((line) => line.replace('f: not supported: ', ''))).toEqual([reason]);
  });

  test('names flags without a value, also those of keys of prototypes', () => {
    const file = JSON.parse(
      '{"version": "1", "flags": {"a": {}, "constructor": {}, "x": null}, "values": {"__proto__": {"enabled": true}, "x": {"enabled": true}, "y": {"enabled": true}}}',
    );
    const { flags, leftOut } = importFromAppConfig(file);
    expect(flags.map(({ key }) => key)).toEqual(['__proto__', 'y']);
    expect(leftOut).toEqual([
      'a: not supported: a flag without a value',
      'constructor: not supported: a flag without a value',
      'x: not supported: the flag must be an object, but is null',
    ]);
  });

  test.each<[file: unknown, message: string]>([
    [{ version: '2', values: {} }, '"version" must be "1", but is "2"'],
    [{ version: 1, values: {} }, '"version" must be "1", but is 1'],
    [{ flags: {}, values: {} }, '"version" must be "1", but is missing'],
    [{ version: '1', flags: [] }, '"flags" must be an object, but is an array'],
    [{ version: '1', values: 'x' }, '"values" must be an object, but is a string'],
  ])('is an error for the file %j', (file, message) => {
    expect(() => importFromAppConfig(file)).toThrow(new WrongForm(message));
  });
});

test('reads a file of one megabyte, and rules up to their limit', () => {
  const rule = `(in $userId [${Array.from({ length: 1_200 }, (_, n) => `"user-${n}"`).join(', ')}])`;
  const keys = Array.from({ length: 64 }, (_, n) => `flag-${n}`);
  const values = Object.fromEntries(keys.map((key) => [key, variants(rule, undefined)]));
  expect(JSON.stringify(values).length).toBeGreaterThan(1_000_000);
  expect(importFromAppConfig({ version: '1', values })).toMatchObject({
    leftOut: [],
    flags: keys.map((key) => ({ key })),
  });
});
