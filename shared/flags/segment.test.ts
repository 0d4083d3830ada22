import { describe, expect, test } from '@jest/globals';
import { aSegment } from '../testing/builders.ts';
import { accepted, benchmarkDocuments, sdkFixtureDocuments } from '../testing/fixtures.ts';
import { formatProblem } from './problem.ts';
import { IN_SEGMENT, NOT_IN_SEGMENT } from './rule.ts';
import { parseSegment } from './segment.ts';

const withCondition = (condition: unknown) => ({ rules: [{ id: 'r', name: 'R', conditions: [condition] }] });

describe('parseSegment', () => {
  test('takes a whole segment as it is', () => {
    const segment = aSegment(withCondition({ property: 'age', op: 'Equal', value: '1' }) as never);
    expect(parseSegment(segment)).toEqual({ ok: true, value: segment, problems: [] });
  });

  test('takes the segments of the benchmark and of the SDKs’ tests', () => {
    for (const document of [...benchmarkDocuments().segments, ...sdkFixtureDocuments().segments]) {
      const { updatedAt, ...rest } = document as { updatedAt: string };
      expect(accepted(parseSegment(document))).toMatchObject(rest);
    }
  });

  test('gives missing fields their defaults and keeps unknown ones', () => {
    expect(accepted(parseSegment({ id: 'beta', key: 'beta-users', tags: ['x'] }))).toEqual({
      ...aSegment({ id: 'beta', envId: '', name: '', updatedAt: '1970-01-01T00:00:00.000Z' }),
      key: 'beta-users',
      tags: ['x'],
    });
    const { rules } = accepted(parseSegment({ id: 'beta', rules: [{}] }));
    expect(rules).toEqual([{ id: 'rule-1', name: '', conditions: [] }]);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ id: undefined }, 'id: must be a string, but is missing'],
    [{ id: 'a b' }, 'id: must be 1 to 128 letters, digits'],
    [{ included: 'u1' }, 'included: must be an array, but is a string'],
    [{ excluded: [null] }, 'excluded[0]: must be a string, but is null'],
    [{ rules: [1] }, 'rules[0]: must be an object, but is a number'],
    [{ rules: [{ id: 1 }] }, 'rules[0].id: must be a string, but is a number'],
    [{ rules: [{ name: 1 }] }, 'rules[0].name: must be a string, but is a number'],
    [withCondition({ property: 'age', op: 1 }), 'rules[0].conditions[0].op: must be a string or null, but is a number'],
    [
      withCondition({ property: IN_SEGMENT, value: '["b"]' }),
      'rules[0].conditions[0].property: a segment cannot be def',
    ],
    [
      withCondition({ property: NOT_IN_SEGMENT }),
      'rules[0].conditions[0].property: a segment cannot be defined by oth',
    ],
    [{ updatedAt: 12 }, 'updatedAt: must be a string, but is a number'],
    [{ isArchived: 0 }, 'isArchived: must be true or false, but is a number'],
  ])('%j is an error: %s', (fields, message) => {
    const result = parseSegment({ ...aSegment(), ...fields });
    expect(result.ok).toBe(false);
    expect(result.problems.map(formatProblem)).toContainEqual(expect.stringContaining(message));
  });

  test('names a problem by its path from the root', () => {
    const { problems } = parseSegment({ ...aSegment(), excluded: 1 });
    expect(problems).toEqual([{ path: 'excluded', message: 'must be an array, but is a number', severity: 'error' }]);
  });

  test('refuses what is no object', () => {
    const message = 'a segment must be an object, but is an array';
    expect(parseSegment([])).toEqual({ ok: false, problems: [{ path: '', message, severity: 'error' }] });
  });
});
