import { describe, expect, jest, test } from '@jest/globals';
import { explainFlag } from '../describe/explain.ts';
import type { Document } from '../flags/document.ts';
import { aCondition, aFlag, aRule, aSegment, aUser } from '../testing/builders.ts';
import { compileEnvironment, invalidConditionsOf } from '../testing/evaluate.ts';
import { RE2 } from './expression.ts';
import { DOCUMENT_EXPRESSIONS_LIMIT, ENVIRONMENT_EXPRESSIONS_LIMIT } from './expressionLimits.ts';
import { problemOfExpressions } from './problemOfExpressions.ts';
import { compileSnapshot } from './snapshot.ts';

const user = aUser('u', { a: 'x' });
/** Conditions of the largest size, which all hold. They differ, so that none is compiled for another. */
const LARGEST = 5_000;
const expressions = (n: number, from = 0) =>
  Array.from({ length: n }, (_, index) =>
    aCondition('a', 'MatchRegex', `x|${String(from + index).padStart(LARGEST - 2, 'y')}`),
  );
const PER_DOCUMENT = Math.floor(DOCUMENT_EXPRESSIONS_LIMIT / LARGEST);
const flagOf = (n: number, key = 'f', updatedAt = '2024-01-01T00:00:00.000Z') =>
  aFlag({ key, updatedAt, rules: [aRule(expressions(n, key.charCodeAt(0) * 1_000))] });
const messageOf = (scope: string) => expect.stringMatching(new RegExp(`^never matches: .*the limit of ${scope}`));

describe('the expressions of a flag', () => {
  const [within, over] = [flagOf(PER_DOCUMENT), flagOf(PER_DOCUMENT + 2)];

  test('are all compiled up to the limit', () => {
    expect(invalidConditionsOf(within)).toEqual([]);
    expect(compileEnvironment([within]).flags[0]?.evaluate(user).cause).toBe('rule');
  });

  test('are not compiled over the limit, never match, and are reported', () => {
    const compile = jest.spyOn(RE2, 'compile');
    const snapshot = compileEnvironment([over]);
    expect(compile).toHaveBeenCalledTimes(PER_DOCUMENT);
    compile.mockRestore();
    expect(snapshot.flags[0]?.evaluate(user).cause).toBe('fallthrough');
    const paths = [PER_DOCUMENT, PER_DOCUMENT + 1].map((index) => `rules[0].conditions[${index}]`);
    const report = { kind: 'flag', id: 'f', message: messageOf('a flag') };
    expect(snapshot.invalidConditions).toEqual(paths.map((path) => ({ ...report, path })));
  });

  test('are explained as they are evaluated', () => {
    const { result, invalidConditions } = explainFlag(over, user, []);
    expect(result.cause).toBe('fallthrough');
    expect(invalidConditions).toEqual([expect.objectContaining({ message: messageOf('a flag') })]);
  });

  test('count in a segment too', () => {
    const segment = aSegment({ rules: [{ id: 'r', name: 'r', conditions: expressions(PER_DOCUMENT + 1) }] });
    const snapshot = compileEnvironment([], { segments: [segment] });
    expect(snapshot.invalidConditions).toEqual([expect.objectContaining({ message: messageOf('a flag or segment') })]);
    expect(snapshot.segments[0]?.contains(user)).toBe(false);
  });

  test('count as the largest if one is too large by itself', () => {
    const large = Array.from({ length: PER_DOCUMENT - 1 }, () =>
      aCondition('a', 'NotMatchRegex', 'x{1000}'.repeat(90)),
    );
    const flag = aFlag({ rules: [aRule([...large, aCondition('a', 'MatchRegex', 'x')])] });
    expect(invalidConditionsOf(flag).map(({ path }) => path)).toEqual(large.map((_, n) => `rules[0].conditions[${n}]`));
  });

  test('are refused at a write that adds some over the limit', () => {
    const document = (n: number): Document => ({ kind: 'flag', document: flagOf(n) });
    const [fits, more, most] = [PER_DOCUMENT, PER_DOCUMENT + 1, PER_DOCUMENT + 2].map(document) as [
      Document,
      Document,
      Document,
    ];
    expect(problemOfExpressions(fits, undefined)).toBeUndefined();
    expect(problemOfExpressions(more, fits)).toMatch(/more than 50000 characters.*the limit of a flag or segment/);
    expect(problemOfExpressions(more, undefined)).toBeDefined();
    expect(problemOfExpressions(most, more)).toBeDefined();
    for (const allowed of [more, fits]) expect(problemOfExpressions(allowed, more)).toBeUndefined();
  });
});

describe('the expressions of an environment', () => {
  const full = ENVIRONMENT_EXPRESSIONS_LIMIT / DOCUMENT_EXPRESSIONS_LIMIT;
  const key = (n: number) => 'abcdefghijklmnop'.charAt(n);
  const flags = Array.from({ length: full + 1 }, (_, n) => flagOf(PER_DOCUMENT, key(n)));
  const source = { envId: 'env', version: 1, segments: [] };
  const causes = (snapshot: ReturnType<typeof compileSnapshot>) =>
    new Map(snapshot.flags.map((flag) => [flag.document.key, flag.evaluate(user).cause]));
  const last = key(full);

  test('never match in the flags that no longer fit, whatever the order', () => {
    const expected = new Map(flags.map((flag) => [flag.key, flag.key === last ? 'fallthrough' : 'rule']));
    for (const given of [flags, flags.toReversed()]) {
      const snapshot = compileSnapshot({ ...source, flags: given });
      expect(causes(snapshot)).toEqual(expected);
      const message = messageOf('an environment');
      expect(new Set(snapshot.invalidConditions)).toEqual(
        new Set(snapshot.invalidConditions.map((each) => ({ ...each, id: last, message }))),
      );
      expect(snapshot.invalidConditions).toHaveLength(PER_DOCUMENT);
    }
  });

  test('match again once there is room, in a flag that did not change', () => {
    const before = compileSnapshot({ ...source, flags });
    const after = compileSnapshot({ ...source, version: 2, flags: flags.with(0, aFlag({ key: 'a' })) }, before);
    expect(causes(after).get(last)).toBe('rule');
    const again = compileSnapshot({ ...source, version: 3, flags }, after);
    expect(causes(again).get(last)).toBe('fallthrough');
    expect(again.flags.find((flag) => flag.document.key === 'b')).toBe(
      before.flags.find((flag) => flag.document.key === 'b'),
    );
  });

  test('do not count in flags that are off or archived, which are not compiled', () => {
    const [first, ...others] = flags as [(typeof flags)[0]];
    for (const change of [{ isEnabled: false }, { isArchived: true }]) {
      const snapshot = compileSnapshot({ ...source, flags: [{ ...first, ...change }, ...others] });
      expect(snapshot.invalidConditions).toEqual([]);
    }
  });
});
