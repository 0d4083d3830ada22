import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import type { CompiledFlag } from '../evaluation/flag.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { aFlag, aUser } from '../testing/builders.ts';
import { compileEnvironment } from '../testing/evaluate.ts';
import { runs } from '../testing/runs.ts';
import { evaluateFlag, FILTER_LIMIT, parseEvaluateRequest } from './evaluateRequest.ts';

const user = { keyId: 'u1', name: 'bob', customizedProperties: [] };

/** The flags that a filter includes: `a` of version 1 with tags x and y, `b` of 2 with x, `c` of 3 without tags. */
function taken(filter: unknown): string[] {
  const { flags } = compileEnvironment([
    aFlag({ key: 'a', tags: ['x', 'y'], updatedAt: formatTimestamp(1) }),
    aFlag({ key: 'b', tags: ['x'], updatedAt: formatTimestamp(2) }),
    aFlag({ key: 'c', updatedAt: formatTimestamp(3) }),
  ]);
  const request = parseEvaluateRequest({ user, filter });
  if (typeof request === 'string') throw new Error(request);
  return flags.filter(request.includes).map(({ document }) => document.key);
}

describe('an evaluate request', () => {
  test.each([[undefined], [null], [7], [[{ user }]], [{}], [{ user: 'u1' }], [{ user: { keyId: ' ' } }]])(
    'is not read without a user: %j',
    (value) => {
      expect(parseEvaluateRequest(value)).toBe('A valid user is required.');
    },
  );

  test('holds its user, by names in any letter case', () => {
    expect(parseEvaluateRequest({ USER: user })).toMatchObject({ user: aUser('u1', {}, 'bob') });
    expect(taken({ KEYS: ['a'] })).toEqual(['a']);
  });
});

describe('a filter', () => {
  test.each([
    ['keys', { keys: ['c', 'a', 'gone'] }, ['a', 'c']],
    ['all of its tags', { tags: ['x', 'y'] }, ['a']],
    ['all of them, where the mode is null', { tags: ['x', 'y'], tagFilterMode: null }, ['a']],
    ['all of them, where the mode is empty', { tags: ['x', 'y'], tagFilterMode: '' }, ['a']],
    ['all of them, where that is said', { tags: ['x', 'y'], tagFilterMode: 'and' }, ['a']],
    ['any of them, where that is said', { tags: ['x', 'y'], tagFilterMode: 'or' }, ['a', 'b']],
    ['what is newer', { timestamp: 1 }, ['b', 'c']],
    ['keys, tags and age at once', { keys: ['a', 'b'], tags: ['x'], timestamp: 1 }, ['b']],
    ['nothing said', {}, ['a', 'b', 'c']],
    ['null', null, ['a', 'b', 'c']],
    ['members that are null', { keys: null, tags: null, timestamp: null }, ['a', 'b', 'c']],
    ['words that are null', { keys: [null, 'a'] }, ['a']],
    ['an age that is text', { timestamp: '2' }, ['c']],
  ])('selects by %s', (_, filter, keys) => {
    expect(taken(filter)).toEqual(keys);
  });

  test.each<[unknown, string]>([
    ...['x', 7, true, ['a']].map((filter): [unknown, string] => [filter, 'filter must be an object']),
    ...['a', 7, { 0: 'a' }, [1], [['a']]].flatMap((list): [unknown, string][] => [
      [{ keys: list }, 'filter.keys must be a list of texts'],
      [{ TAGS: list }, 'filter.tags must be a list of texts'],
    ]),
    ...['', 'x', 1.5, 1e300, true, {}, [1]].map((timestamp): [unknown, string] => [
      { timestamp },
      'filter.timestamp must be a whole number of unix milliseconds',
    ]),
  ])('%j is refused', (filter, refusal) => {
    expect(parseEvaluateRequest({ user, filter })).toBe(refusal);
  });

  test.each(['and', 'or'])('reads no list of wanted tags for a flag, in the mode %s', (tagFilterMode) => {
    const wanted = Array.from({ length: FILTER_LIMIT }, (_, n) => `t${n}`);
    const tagsOfFlags = [wanted, [...wanted.slice(1), 't1'], wanted.toReversed().concat('x'), ['x'], [], ['t1', 't1']];
    const flags = Array.from({ length: 300 }, (_, n) => {
      const tags = tagsOfFlags[n % tagsOfFlags.length] ?? [];
      return { document: aFlag({ key: `f${n}`, tags }), updatedAt: 1 } as unknown as CompiledFlag;
    });
    const request = parseEvaluateRequest({ user, filter: { tags: wanted, tagFilterMode } });
    if (typeof request === 'string') throw new Error(request);
    const iterations = jest.spyOn(Set.prototype, Symbol.iterator);
    const included = flags.map(request.includes);
    const count = iterations.mock.calls.length;
    iterations.mockRestore();
    const results =
      tagFilterMode === 'and' ? [true, false, true, false, false, false] : [true, true, true, false, false, true];
    expect(included).toEqual(flags.map((_, n) => results[n % results.length]));
    expect(count).toBe(0);
  });

  test.each<[unknown, string]>([
    ['xor', 'xor'],
    ['AND', 'AND'],
    [0, '0'],
    [false, 'false'],
    [{}, 'not text'],
  ])('refuses tags in the mode %j', (tagFilterMode, said) => {
    const answer = parseEvaluateRequest({ user, filter: { tagFilterMode } });
    expect(answer).toBe(`Invalid tag filter mode: ${said}. Valid values are 'and' or 'or'.`);
  });

  test.each(['keys', 'tags'])('names up to ten thousand %s', (name) => {
    const words = Array.from({ length: FILTER_LIMIT }, () => 'x');
    expect(parseEvaluateRequest({ user, filter: { [name]: words } })).toMatchObject({ user: { keyId: 'u1' } });
    const answer = parseEvaluateRequest({ user, filter: { [name]: [...words, 'x'] } });
    expect(answer).toBe(`A filter can have at most 10000 ${name}, but has 10001.`);
  });
});

test('an evaluated flag says what its user gets, and why', () => {
  const evaluated = (fields: Parameters<typeof aFlag>[0]) => {
    const [flag] = compileEnvironment([aFlag({ key: 'f', variationType: 'string', ...fields })]).flags;
    return evaluateFlag(flag as CompiledFlag, aUser('u1'));
  };
  const served = { id: 'on', type: 'string', value: 'true', matchReason: 'default', sendToExperiment: true };
  expect(evaluated({})).toEqual({ key: 'f', variation: served });
  const unmeasured = { ...served, sendToExperiment: false };
  expect(evaluated({ exptIncludeAllTargets: false })).toEqual({ key: 'f', variation: unmeasured });
});

test('takes flags with one of its keys and all or any of its tags, also if repeated', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'toString');
  const words = fc.array(word, { maxLength: 4 });
  const law = fc.property(
    word,
    words,
    words,
    words,
    fc.constantFrom('and', 'or', '', undefined),
    (key, has, keys, tags, mode) => {
      const [flag] = compileEnvironment([aFlag({ key, tags: has })]).flags;
      const request = parseEvaluateRequest({ user: { keyId: 'u1' }, filter: { keys, tags, tagFilterMode: mode } });
      if (typeof request === 'string') throw new Error(request);
      const isTagged = (tag: (typeof has)[number]) => has.includes(tag);
      const byTags = mode === 'or' ? tags.some(isTagged) : tags.every(isTagged);
      const expected = (keys.length === 0 || keys.includes(key)) && (tags.length === 0 || byTags);
      expect(request.includes(flag as CompiledFlag)).toBe(expected);
    },
  );
  fc.assert(law, { numRuns: runs(1_000) });
});
