import { describe, expect, test } from '@jest/globals';
import { share } from '../../../shared/testing/builders.ts';
import { readFirstDocument } from '../yamlScalars.ts';
import { importFromGoFeatureFlag } from './import.ts';

const NOW = Date.parse('2026-11-27T00:00:00Z');
const variations = { on: true, off: false };
const imported = (fields: object) =>
  importFromGoFeatureFlag({ flags: { f: { variations, defaultRule: { variation: 'off' }, ...fields } } }, { now: NOW });
const fromYaml = (text: string) =>
  importFromGoFeatureFlag({ flags: readFirstDocument(text) }, { now: NOW, isYaml: true });
const flagOf = (fields: object) => imported(fields).flags[0];
const reasonOf = (fields: object) =>
  imported(fields)
    .leftOut.map((line) => line.replace('f: not supported: ', ''))
    .join();
const causesOf = (fields: object) =>
  imported(fields)
    .differencesOf('f')
    .map(({ cause }) => cause);
const conditionsOf = (query: string) =>
  flagOf({ targeting: [{ query, variation: 'on' }] })?.rules.map(({ conditions }) =>
    conditions.map(({ property, op, value }) => `${property} ${op} ${value}`),
  );

const progress = (percentage: number) => ({
  initial: { variation: 'off', percentage, date: '2026-11-26T00:00:00Z' },
  end: { variation: 'on', percentage: 100, date: '2027-11-26T00:00:00Z' },
});

describe('a flag', () => {
  test('has its variations, rules in order, and the default rule', () => {
    const targeting = [
      { name: 'pro', query: 'plan eq "pro"', variation: 'on' },
      { query: 'plan eq "old"', variation: 'on', disable: true },
      { query: 'beta eq true', percentage: { on: 20, off: 60 } },
    ];
    expect(flagOf({ targeting, metadata: { description: 'why' } })).toMatchObject({
      key: 'f',
      description: 'why',
      variationType: 'boolean',
      variations: [
        { id: 'on', value: 'true' },
        { id: 'off', value: 'false' },
      ],
      rules: [
        { name: 'pro', variations: [share('on')] },
        {
          name: 'rule 2',
          variations: [
            { id: 'on', rollout: [0, 0.25] },
            { id: 'off', rollout: [0.25, 1] },
          ],
        },
      ],
      isEnabled: true,
      isArchived: false,
      disabledVariationId: 'off',
      fallthrough: { variations: [share('off')] },
    });
  });

  test('is archived if it is disabled', () => {
    expect(flagOf({ disable: true })).toMatchObject({ isArchived: true });
    expect(causesOf({ disable: true })).toEqual(['disabled']);
  });

  test('is archived while its experiment does not run', () => {
    const experiment = (start: string, end: string) => ({ experimentation: { start, end } });
    const of = (day: number) => `2026-11-${day}T00:00:00Z`;
    expect(flagOf(experiment(of(20), of(28)))).toMatchObject({ isArchived: false });
    expect(flagOf(experiment(of(20), of(26)))).toMatchObject({ isArchived: true });
    expect(flagOf(experiment(of(28), of(29)))).toMatchObject({ isArchived: true });
    expect(causesOf(experiment(of(20), of(26)))).toEqual(['disabled', 'experiment']);
  });

  test.each([
    ['True', 'True'],
    ['1.0', '1.0'],
    ['on', 'on'],
    ['2026-01-01', '2026-01-01'],
  ])('may name its variations in YAML without quotes: %s', (name, id) => {
    const read = fromYaml(`f: { variations: { ${name}: 1, other: 2 }, defaultRule: { variation: ${name} } }`);
    expect(read.flags[0]?.fallthrough.variations).toEqual([share(id)]);
  });

  test.each([
    ...['yes', '"yes"', 'Yes', 'on', 'ON', 'y', 'true', 'True'].map((spelling) => [spelling, true]),
    ...['no', 'off', 'Off', 'N', 'false', '~', ''].map((spelling) => [spelling, false]),
  ])('is disabled by the spelling %s of YAML as in GO Feature Flag: %j', (spelling, isArchived) => {
    const text = `f:\n  disable: ${spelling}\n  variations: { a: 1 }\n  defaultRule: { variation: a }\n`;
    expect(fromYaml(text).flags[0]?.isArchived).toBe(isArchived);
  });

  test.each([
    ['disable: tRUE', 'disable must be true or false, but is a string; GO Feature Flag refuses a file with it'],
    ['disable: 1', 'disable must be true or false, but is a number'],
    ['targeting: [{ query: "a eq 1", percentage: { a: "50" } }]', 'targeting[0].percentage.a must be a number'],
    ['experimentation: { start: "2020-01-01" }', 'experimentation.start must be a time such as'],
    ['experimentation: { start: 2020-02-30 }', 'experimentation.start must be a time such as'],
    ['targeting: {}', 'targeting must be an array, but is an object'],
    ['version: []', 'version must be a string, but is an array'],
    ['targeting: [{ query: "a eq 1", percentage: { null: 1 } }]', 'has a key "null", which is null in YAML'],
  ])('is left out by name for a member that GO Feature Flag refuses: %s', (member, reason) => {
    const text = `f: { variations: { a: 1 }, defaultRule: { variation: a }, ${member} }`;
    expect(fromYaml(text)).toMatchObject({ flags: [], leftOut: [expect.stringContaining(reason)] });
  });

  test('has members whose names differ in case in JSON, where Go does not distinguish them', () => {
    expect(flagOf({ Disable: true })?.isArchived).toBe(true);
    expect(reasonOf({ disable: false, DISABLE: true })).toBe('disable, which is there as "disable" and "DISABLE"');
    const text = 'f: { Disable: true, variations: { a: 1 }, defaultRule: { variation: a } }';
    expect(fromYaml(text).flags[0]?.isArchived).toBe(false);
  });

  test('splits users by the bucketing key', () => {
    const fields = { bucketingKey: 'team', defaultRule: { percentage: { on: 50, off: 50 } } };
    expect(flagOf(fields)?.fallthrough.dispatchKey).toBe('team');
    expect(causesOf(fields)).toEqual(['bucketing', 'percentages']);
    expect(flagOf({ ...fields, bucketingKey: 'targetingKey' })?.fallthrough.dispatchKey).toBeNull();
  });

  test('keeps the share that a progressive rollout has at the import', () => {
    const step = (variation: string, percentage: number, day: number) => {
      return { variation, percentage, date: `2026-11-${day}T00:00:00Z` };
    };
    const defaultRule = (begin: number, end: number) => ({
      defaultRule: { progressiveRollout: { initial: step('off', 0, begin), end: step('on', 100, end) } },
    });
    expect(flagOf(defaultRule(26, 30))?.fallthrough.variations).toMatchObject([
      { id: 'on', rollout: [0, 0.25] },
      { id: 'off', rollout: [0.25, 1] },
    ]);
    expect(flagOf(defaultRule(28, 30))?.fallthrough.variations).toEqual([share('off')]);
    expect(flagOf(defaultRule(20, 25))?.fallthrough.variations).toEqual([share('on')]);
    expect(causesOf(defaultRule(20, 25))).toEqual(['progressive']);
  });

  test('has the scheduled changes that are due, and lists later ones', () => {
    const scheduledRollout = [
      { date: '2026-11-20T00:00:00Z', targeting: [{ name: 'pro', variation: 'off' }] },
      { date: '2026-12-20T00:00:00Z', disable: true },
    ];
    const fields = { targeting: [{ name: 'pro', query: 'plan eq "pro"', variation: 'on' }], scheduledRollout };
    expect(flagOf(fields)).toMatchObject({ isArchived: false, rules: [{ name: 'pro', variations: [share('off')] }] });
    expect(causesOf(fields)).toContain('scheduled');
  });

  test('has what a due step changes, and none of its other members', () => {
    const date = '2026-11-20T00:00:00Z';
    const rollout = { initial: { variation: 'off', date: '2026-11-01T00:00:00Z' }, end: { variation: 'on', date } };
    const fields = {
      defaultRule: { progressiveRollout: rollout },
      scheduledRollout: [
        { date, bucketingKey: 'team', targeting: [{ variation: 'on' }] },
        { date, defaultRule: { progressiveRollout: { end: { date: '2026-12-25T00:00:00Z' } } } },
      ],
    };
    // Only a scheduled rule may lack a query.
    expect(flagOf(fields)?.rules).toMatchObject([{ conditions: [], variations: [share('on')] }]);
    expect(flagOf(fields)?.fallthrough).toMatchObject({ dispatchKey: null, variations: [{ id: 'on' }, { id: 'off' }] });
  });

  test.each<[string, object, string]>([
    [
      'without a default rule',
      { defaultRule: undefined },
      'a missing default rule; SDKs return the default in your code',
    ],
    ['with an unknown variation', { defaultRule: { variation: 'x' } }, 'the variation x, which does not exist'],
    [
      'with values of two types',
      { variations: { on: true, off: 'no' } },
      'variants of different types, or without a type',
    ],
    [
      'with a list and an object as values',
      { variations: { on: [], off: {} } },
      'variants of different types, or without a type',
    ],
    ['with a value that is null', { variations: { on: 1, off: null } }, 'a variation without a value'],
    ['with a rule without a query', { targeting: [{ variation: 'on' }] }, 'a rule without a query'],
    ['with an empty query', { targeting: [{ query: '', variation: 'on' }] }, 'a rule without a query'],
    ['with a query that is null', { targeting: [{ query: null, variation: 'on' }] }, 'a rule without a query'],
    ['with a rule that is null', { targeting: [null] }, 'a rule without a query'],
    [
      'with a name that is no text',
      { defaultRule: { variation: true } },
      'defaultRule.variation must be a string, but is a boolean; GO Feature Flag refuses a file with it',
    ],
    [
      'that is null in its default rule',
      { defaultRule: null },
      'a missing default rule; SDKs return the default in your code',
    ],
    [
      'with two rules of a name',
      { targeting: ['a', 'b'].map((plan) => ({ name: 'r', query: `plan eq "${plan}"`, variation: 'on' })) },
      'two rules with the name "r"',
    ],
    ['with a negative share', { defaultRule: { percentage: { on: -1, off: 50 } } }, 'the percentage -1'],
    [
      'with a share outside',
      { defaultRule: { progressiveRollout: progress(-50) } },
      'a progressive rollout with a share outside of 0 to 100',
    ],
    ['with shares of 0', { defaultRule: { percentage: { on: 0 } } }, 'weights that add up to zero'],
    ['with a nested bucketing key', { bucketingKey: 'a.b' }, '"a.b", a member of an attribute'],
  ])('%s is left out', (_, fields, reason) => {
    expect(reasonOf(fields)).toBe(reason);
  });
});

describe('a query', () => {
  test.each([
    ['plan eq "pro"', [['plan IsOneOf ["pro"]']]],
    ['plan != "pro"', [['plan NotEqual ', 'plan NotOneOf ["pro"]']]],
    ['not (plan eq "pro")', [['plan NotOneOf ["pro"]']]],
    ['plan in ["a", "b"]', [['plan IsOneOf ["a","b"]']]],
    ['email ew "@acme.com"', [['email EndsWith @acme.com']]],
    ['NOT (email co "test")', [['email NotContain test']]],
    ['age gt 18', [['age BiggerThan 18']]],
    ['not (age >= 18.5)', [['age LessThan 18.5'], ['age Equal ']]],
    ['age eq 18', [['age BiggerEqualThan 18', 'age LessEqualThan 18']]],
    ['beta eq true', [['beta IsOneOf ["true"]']]],
    ['anonymous eq false', [['anonymous NotOneOf ["true"]']]],
    ['team pr', [['team NotEqual ']]],
    ['team eq null', [['team Equal ']]],
    ['key eq "ann"', [['keyId IsOneOf ["ann"]']]],
    [
      'a eq "1" and (b eq "2" or c eq "3")',
      [
        ['a IsOneOf ["1"]', 'b IsOneOf ["2"]'],
        ['a IsOneOf ["1"]', 'c IsOneOf ["3"]'],
      ],
    ],
    // Both operators have the same precedence.
    [
      'a eq "1" or b eq "2" and c eq "3"',
      [
        ['a IsOneOf ["1"]', 'c IsOneOf ["3"]'],
        ['b IsOneOf ["2"]', 'c IsOneOf ["3"]'],
      ],
    ],
    ['{"==": [{"var": "plan"}, "pro"]}', [['plan Equal pro']]],
    ['{"in": [{"var": "key"}, ["ann"]]}', [['keyId IsOneOf ["ann"]']]],
    ['a eq "1" and  (b eq "2")', [['a IsOneOf ["1"]', 'b IsOneOf ["2"]']]],
    ['(  (not(a eq "1") ) )', [['a NotOneOf ["1"]']]],
    ['a eq "1" \nand b eq "2"', [['a IsOneOf ["1"]', 'b IsOneOf ["2"]']]],
  ])('%s', (query, conditions) => {
    expect(conditionsOf(query)).toEqual(conditions);
  });

  test.each([
    ['plan eq pro', 'the value pro'],
    ['plan', 'the query plan'],
    ['plan eq "pro" and', 'the query plan eq "pro" and'],
    ['plan Eq "pro"', 'the query plan Eq "pro"'],
    ['plan  eq "pro"', 'the query plan  eq "pro"'],
    ['plan in [ "pro"]', 'the query plan in [ "pro"]'],
    ['plan in ["pro" , "old"]', 'the query plan in ["pro" , "old"]'],
    ['plan in ["pro", 1]', 'the query plan in ["pro", 1]'],
    ['a eq "1"\nand b eq "2"', 'the query a eq "1"\nand b eq "2"'],
    ['(a eq "1")and(b eq "2")', 'the query (a eq "1")and(b eq "2")'],
    ['Not (a eq "1")', 'the query Not (a eq "1")'],
    ['not  (a eq "1")', 'the query not  (a eq "1")'],
    ['a eq "1" and(b eq "2")', 'the query a eq "1" and(b eq "2")'],
    ['(a eq "1"  )', 'the query (a eq "1"  )'],
    ['in eq "1"', 'the query in eq "1"'],
    ['age eq 018', 'the value 018'],
    ['age lt 99999999999999999999', 'the value 99999999999999999999'],
    ['{"starts_with": [{"var": "plan"}, "p"]}', 'the operator starts_with in JsonLogic'],
    ['{"==": [{"var": "anonymous"}, true]}', '"anonymous", which is true or false, with another value'],
    ['plan like "pro"', 'the query plan like "pro"'],
    ['(plan eq "pro"', 'the query (plan eq "pro"'],
    ['version gt 1.2.3', 'a semantic version'],
    ['age in [1, 2]', 'a list of numbers'],
    ['plan gt "a"', 'the operator gt with a text'],
    ['company.name eq "a"', '"company.name", a member of an attribute'],
    [`${'('.repeat(60)}a eq "1"${')'.repeat(60)}`, /^the query \(\(/],
  ])('%s is left out', (query, reason) => {
    expect(reasonOf({ targeting: [{ query, variation: 'on' }] })).toEqual(
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    );
  });
});
