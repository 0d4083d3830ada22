import { describe, expect, test } from '@jest/globals';
import { type Condition, IN_SEGMENT, NOT_IN_SEGMENT } from '../flags/rule.ts';
import { aCondition, aUser } from '../testing/builders.ts';
import { EXPRESSION_DIFFERENCES } from '../testing/expressionDifferences.ts';
import { RE2 } from './compileOperator.ts';
import { compileConditions, type MissingAttribute, segmentIdsOf } from './condition.ts';

/** Whether conditions match a user. Segments `vip` (user `v`) and `nobody` exist. */
function holds(conditions: Condition[], user = aUser('u1'), missingAttribute: MissingAttribute = 'empty'): boolean {
  return compileConditions(conditions, 'rules[0]', {
    missingAttribute,
    engine: RE2,
    compiled: new Map(),
    segment: (id) => ({ vip: (u: { keyId: string }) => u.keyId === 'v', nobody: () => false })[id],
    report: (path, message) => {
      throw new Error(`${path}: ${message}`);
    },
  })(user);
}

/** The reports of one condition, and whether it matches. */
function contained(condition: Condition): { reports: string[]; holds: boolean } {
  const reports: string[] = [];
  const predicate = compileConditions([aCondition('keyId', 'Equal', 'u1'), condition], 'rules[3]', {
    missingAttribute: 'empty',
    engine: RE2,
    compiled: new Map(),
    segment: () => undefined,
    report: (path, message) => reports.push(`${path}: ${message}`),
  });
  return { reports, holds: predicate(aUser('u1')) };
}

describe('compileConditions', () => {
  const yes = aCondition('keyId', 'Equal', 'u1');
  const no = aCondition('keyId', 'Equal', 'u2');

  test.each<[string, Condition[], boolean]>([
    ['none', [], true],
    ['one that holds', [yes], true],
    ['one that does not', [no], false],
    ['several that hold', [yes, yes, yes], true],
    ['several of which the last does not', [yes, yes, no], false],
  ])('%s', (_, conditions, expected) => {
    expect(holds(conditions)).toBe(expected);
  });
});

describe('attributes', () => {
  const user = aUser('u1', { plan: 'pro', keyId: 'shadow', name: 'shadow', empty: '', '\ufeff': 'bom' }, 'bob');

  test.each<[string, string, boolean]>([
    ['keyId', 'u1', true],
    ['name', 'bob', true],
    ['plan', 'pro', true],
    ['Plan', 'pro', false],
    ['empty', '', true],
    [' ', '', true],
    ['\t', 'x', false],
    ['\u0085', '', true],
    ['\ufeff', 'bom', true],
  ])('%j equals %j: %p', (property, value, expected) => {
    expect(holds([aCondition(property, 'Equal', value)], user)).toBe(expected);
  });

  test.each<[string, string, boolean]>([
    ['Equal', '', true],
    ['NotEqual', 'x', true],
    ['Contains', '', true],
    ['NotContain', 'x', true],
    ['StartsWith', '', true],
    ['NotOneOf', '["x"]', true],
    ['NotMatchRegex', 'x', true],
    ['Equal', 'x', false],
    ['LessThan', '1', false],
    ['IsFalse', '', false],
  ])('a missing attribute is the empty text: %s %j is %p', (op, value, expected) => {
    expect(holds([aCondition('plan', op, value)])).toBe(expected);
    expect(holds([aCondition('plan', op, value)], aUser('u1'), 'no-match')).toBe(false);
  });

  test('an empty attribute is not a missing one', () => {
    expect(holds([aCondition('empty', 'Equal', '')], user, 'no-match')).toBe(true);
  });

  test.each([['empty'], ['no-match']] as const)('a name that was not sent never matches (%s)', (mode) => {
    for (const op of ['Equal', 'NotEqual', 'Contains', 'NotContain', 'StartsWith', 'NotMatchRegex']) {
      expect(holds([aCondition('name', op, '')], aUser('u1'), mode)).toBe(false);
    }
    expect(holds([aCondition('name', 'NotOneOf', '["x"]')], aUser('u1'), mode)).toBe(false);
  });

  test.each(['Equal', 'NotEqual', 'IsTrue', 'IsOneOf', 'NotOneOf', 'NotMatchRegex'])(
    'a condition without a value never matches: %s',
    (op) => {
      expect(holds([aCondition('plan', op, null)], user)).toBe(false);
    },
  );
});

describe('segment conditions', () => {
  test.each<[string | null, string, boolean]>([
    ['["vip"]', 'v', true],
    ['["vip"]', 'u1', false],
    ['["nobody","vip"]', 'v', true],
    ['["nobody"]', 'v', false],
    ['[]', 'v', false],
    ['null', 'v', false],
    ['', 'v', false],
    [null, 'v', false],
  ])('matches in %j, user %s: %p; not in: the opposite', (value, keyId, expected) => {
    expect(holds([aCondition(IN_SEGMENT, null, value)], aUser(keyId))).toBe(expected);
    expect(holds([aCondition(NOT_IN_SEGMENT, '', value)], aUser(keyId))).toBe(!expected);
  });
});

test('equal conditions share a predicate, conditions that differ anywhere do not', () => {
  const compiled = new Map();
  const context = { missingAttribute: 'empty', compiled, segment: () => undefined, report: () => {} } as const;
  const compile = (...condition: Parameters<typeof aCondition>) =>
    compileConditions([aCondition(...condition)], 'rules[0]', context);
  const isPro = compile('plan', 'Equal', 'pro');
  expect(compile('plan', 'Equal', 'pro')).toBe(isPro);
  const others = [
    compile('plan', 'NotEqual', 'pro'),
    compile('plan', 'Equal', 'free'),
    compile('tier', 'Equal', 'pro'),
  ];
  expect(others).not.toContain(isPro);
  expect(compiled.size).toBe(4);
  const { compiled: _, ...sharesNothing } = context;
  const alone = () => compileConditions([aCondition('plan', 'Equal', 'pro')], 'rules[0]', sharesNothing);
  expect(alone()(aUser('u1', { plan: 'pro' }))).toBe(true);
  expect(alone()).not.toBe(alone());
});

describe('invalidCondition', () => {
  test.each<[Condition, string]>([
    [aCondition('plan', 'MatchRegex', '['), 'is not a regular expression that runs in linear time'],
    [aCondition('plan', 'NotMatchRegex', '['), 'is not a regular expression that runs in linear time'],
    [aCondition('plan', 'NotMatchRegex', '(?=x)'), 'is not a regular expression that runs in linear time'],
    [aCondition('plan', 'IsOneOf', 'not-json'), 'is not a JSON array of strings: "not-json"'],
    [aCondition('plan', 'NotOneOf', 'not-json'), 'is not a JSON array of strings: "not-json"'],
    [aCondition('plan', 'NotOneOf', '[1]'), 'is not a JSON array of strings: "[1]"'],
    [aCondition('plan', 'Equals', 'x'), 'unknown operator "Equals"'],
    [aCondition('plan', null, 'x'), 'unknown operator null'],
    [aCondition(IN_SEGMENT, null, 'vip'), 'is not a JSON array of strings: "vip"'],
    [aCondition(NOT_IN_SEGMENT, null, '{}'), 'is not a JSON array of strings: "{}"'],
  ])('%j never holds and is reported with its path', (condition, message) => {
    const result = contained(condition);
    expect(result.holds).toBe(false);
    expect(result.reports).toEqual([expect.stringContaining(`rules[3].conditions[1]: never matches: ${message}`)]);
  });
});

test('does not catch other errors', () => {
  const compile = () =>
    compileConditions([aCondition(IN_SEGMENT, null, '["vip"]')], 'rules[0]', {
      missingAttribute: 'empty',
      segment: () => {
        throw new RangeError('a mistake');
      },
      report: () => {},
    });
  expect(compile).toThrow(new RangeError('a mistake'));
});

describe('a missing segment', () => {
  const vip = (user: { keyId: string }) => user.keyId === 'v';
  const compile = (property: string, value: string) => {
    const reports: string[] = [];
    const holds = compileConditions([aCondition(property, null, value)], 'rules[0]', {
      missingAttribute: 'empty',
      segment: (id) => (id === 'vip' ? vip : undefined),
      report: (path, message) => reports.push(`${path} ${message}`),
    });
    return { reports, holds };
  };

  test.each<[string, string, boolean]>([
    ['["vip","gone"]', 'v', true],
    ['["gone","vip"]', 'v', true],
    ['["vip","gone"]', 'u1', false],
    ['["gone"]', 'v', false],
    ['["gone","lost"]', 'u1', false],
  ])('is one without members: in %s, user %s: %p; not in: the opposite', (value, keyId, expected) => {
    expect(compile(IN_SEGMENT, value).holds(aUser(keyId))).toBe(expected);
    expect(compile(NOT_IN_SEGMENT, value).holds(aUser(keyId))).toBe(!expected);
  });

  test.each([IN_SEGMENT, NOT_IN_SEGMENT])('is reported, once a condition (%s)', (property) => {
    const says = 'rules[0].conditions[0] refers to segments that do not exist: ';
    expect(compile(property, '["gone"]').reports).toEqual([`${says}["gone"]`]);
    expect(compile(property, '["gone","vip","lost"]').reports).toEqual([`${says}["gone","lost"]`]);
    const many = JSON.stringify(Array.from({ length: 1_000 }, (_, n) => `segment-${n}`));
    expect(compile(property, many).reports).toEqual([says + many.slice(0, 80)]);
    expect(compile(property, '["vip"]').reports).toEqual([]);
  });
});

describe('an expression that FeatBit’s server takes differently', () => {
  test.each(EXPRESSION_DIFFERENCES)('$pattern: $why', ({ pattern, text, here, isWarnedOf }) => {
    for (const [op, expected] of [
      ['MatchRegex', here === 'match'],
      ['NotMatchRegex', here === 'no match'],
    ] as const) {
      const reports: string[] = [];
      const compiled = new Map();
      const context = { missingAttribute: 'empty', engine: RE2, compiled, segment: () => undefined } as const;
      const compile = () =>
        compileConditions([aCondition('text', op, pattern)], 'rules[0]', {
          ...context,
          report: (_, message) => reports.push(message),
        });
      expect(compile()(aUser('u1', { text }))).toBe(expected);
      // Also if an equal condition was compiled before.
      compile();
      const says = { refused: /^never matches: is (not a regular|an) expression/, match: /\.NET/, 'no match': /\.NET/ };
      const isReported = here === 'refused' || isWarnedOf === true;
      expect(reports).toEqual(isReported ? [0, 1].map(() => expect.stringMatching(says[here])) : []);
    }
  });

  test('is on the list once, and differs', () => {
    expect(new Set(EXPRESSION_DIFFERENCES.map(({ pattern }) => pattern)).size).toBe(EXPRESSION_DIFFERENCES.length);
    for (const { featBit, here } of EXPRESSION_DIFFERENCES) expect(featBit).not.toBe(here);
  });
});

test.each<[Condition, string[]]>([
  [aCondition(IN_SEGMENT, null, '["a","b"]'), ['a', 'b']],
  [aCondition(NOT_IN_SEGMENT, null, '["a"]'), ['a']],
  [aCondition(IN_SEGMENT, null, null), []],
  [aCondition(IN_SEGMENT, null, 'not-json'), []],
  [aCondition('plan', 'IsOneOf', '["a"]'), []],
])('segmentIdsOf(%j) is %j', (condition, ids) => {
  expect(segmentIdsOf(condition)).toEqual(ids);
});
