import { beforeEach, describe, expect, test } from '@jest/globals';
import { FILTER_LIMIT } from '../../shared/protocol/evaluateRequest.ts';
import { aCondition, aFlag, aRule, aSegment } from '../../shared/testing/builders.ts';
import { service, useService } from '../testing/fixture.ts';
import { aHttp, DEEP, EVALUATE, type TestHttp } from './testing/http.ts';

useService();

let http: TestHttp;
beforeEach(() => {
  http = aHttp();
});

const user = { keyId: 'u1', customizedProperties: [{ name: 'country', value: 'us' }] };
const put = async (key: string, fields: Parameters<typeof aFlag>[0] = {}) => {
  const { store, envId } = service;
  const [written] = await store.documents.writeFlag(envId, key, () => aFlag({ key, ...fields }));
  return written?.updatedAt as number;
};
const ask = (body: unknown) => http.ask(EVALUATE, { body });
const keysFor = async (filter: unknown) =>
  ((await (await ask({ user, filter })).json()) as { key: string }[]).map(({ key }) => key);

describe('an evaluate request', () => {
  test('is answered with each flag for its user, archived ones included', async () => {
    await put('matched', { rules: [aRule([aCondition('country', 'Equal', 'us')])] });
    await put('off', { isEnabled: false });
    await put('archived', { isArchived: true });
    const expected = (key: string, id: string | null, value: string | null, matchReason: string) => ({
      key,
      variation: { id, type: 'boolean', value, matchReason, sendToExperiment: expect.any(Boolean) },
    });
    expect(await (await ask({ user })).json()).toEqual([
      expected('matched', 'off', 'false', 'Rule 1'),
      expected('off', 'off', 'false', 'flag disabled'),
      expected('archived', null, null, 'flag archived'),
    ]);
  });

  test('is answered with an empty list for an empty environment or unknown flags', async () => {
    expect(await (await ask({ user })).json()).toEqual([]);
    await put('f');
    expect(await keysFor({ keys: ['g'] })).toEqual([]);
  });

  test('is answered where one flag is broken: that one never matches, others are as ever', async () => {
    await put('broken', { rules: [aRule([aCondition('country', 'MatchRegex', '(')])] });
    await put('sound');
    expect(await (await ask({ user })).json()).toMatchObject([
      { key: 'broken', variation: { value: 'true', matchReason: 'default' } },
      { key: 'sound', variation: { value: 'true', matchReason: 'default' } },
    ]);
  });

  test('looks into segments', async () => {
    const { store, envId } = service;
    await store.documents.writeSegment(envId, 's', () => aSegment({ id: 's', included: ['u1'] }));
    await put('f', { rules: [aRule([aCondition('User is in segment', null, '["s"]')])] });
    expect(await (await ask({ user })).json()).toMatchObject([{ variation: { matchReason: 'Rule 1' } }]);
    expect(await (await ask({ user: { keyId: 'u2' } })).json()).toMatchObject([
      { variation: { matchReason: 'default' } },
    ]);
  });
});

describe('a request without a user', () => {
  test.each([
    ['no body', ''],
    ['no JSON', '{"user"'],
    ['null', 'null'],
    ['a list', [{ user }]],
    ['a number', '7'],
    ['a user that is text', { user: 'u1' }],
    ['a user that is null', { user: null }],
    ['a blank keyId', { user: { keyId: ' ' } }],
    ['a user of its prototype only', '{"__proto__":{"user":{"keyId":"u1"}}}'],
    ['a user a thousand levels deep', `{"user":${DEEP}}`],
    ['a filter only', { filter: { keys: ['f'] } }],
  ])('(%s) is refused in FeatBit’s words', async (_, body) => {
    await put('f');
    const response = await ask(body);
    expect([response.status, await response.text()]).toEqual([400, 'A valid user is required.']);
  });
});

describe('a filter', () => {
  test.each([['{"toString":1}'], [DEEP]])('is refused with a mode of tags that is no text', async (mode) => {
    const response = await ask(`{"user":{"keyId":"u1"},"filter":{"tagFilterMode":${mode}}}`);
    expect([response.status, await response.text()]).toEqual([
      400,
      "Invalid tag filter mode: not text. Valid values are 'and' or 'or'.",
    ]);
  });

  test.each([['xor'], ['AND'], [' '], [7], [0], [true], [false]])(
    'is refused with the mode of tags %j',
    async (tagFilterMode) => {
      const response = await ask({ user, filter: { tagFilterMode } });
      expect([response.status, await response.text()]).toEqual([
        400,
        `Invalid tag filter mode: ${tagFilterMode}. Valid values are 'and' or 'or'.`,
      ]);
      expect(response.headers.get('content-type')).toContain('text/plain');
    },
  );

  test('takes flags with all tags unless told otherwise', async () => {
    await put('both', { tags: ['x', 'y'] });
    await put('one', { tags: ['x'] });
    expect(await keysFor({ tags: ['x', 'y'] })).toEqual(['both']);
    expect(await keysFor({ tags: ['x', 'y'], tagFilterMode: null })).toEqual(['both']);
    expect(await keysFor({ tags: ['x', 'y'], tagFilterMode: '' })).toEqual(['both']);
    expect(await keysFor({ tags: ['x', 'y', 'x', null] })).toEqual(['both']);
    expect(await keysFor({ tags: ['x', 'y'], tagFilterMode: 'or' })).toEqual(['both', 'one']);
  });

  test('selects strictly newer flags by age, combined with keys and tags', async () => {
    const first = await put('a', { tags: ['x'] });
    await put('b', { tags: ['x'] });
    await put('c');
    expect(await keysFor({ timestamp: first - 1 })).toEqual(['a', 'b', 'c']);
    expect(await keysFor({ timestamp: first })).toEqual(['b', 'c']);
    expect(await keysFor({ timestamp: 9e15 })).toEqual([]);
    expect(await keysFor({ timestamp: '9999999999999' })).toEqual([]);
    expect(await keysFor({ timestamp: first, tags: ['x'], keys: ['a', 'b', 'c'] })).toEqual(['b']);
  });

  test.each([
    ['null', null],
    ['keys of prototypes', JSON.parse('{"__proto__":{"keys":["b"]},"constructor":1}')],
    ['more than anybody asked for', { keys: [], tags: [], unknown: JSON.parse(DEEP) }],
  ])('selects everything with %s', async (_, filter) => {
    await put('a', { tags: ['x'] });
    await put('b');
    expect(await keysFor(filter)).toEqual(['a', 'b']);
  });

  test.each([
    ['no object', 'x', 'filter must be an object'],
    ['keys that are no list', { keys: 'a' }, 'filter.keys must be a list of texts'],
    ['tags that are no texts', { tags: [{}] }, 'filter.tags must be a list of texts'],
    ['an age that is no number', { timestamp: 'x' }, 'filter.timestamp must be a whole number of unix milliseconds'],
  ])('is refused with %s', async (_, filter, refusal) => {
    const response = await ask({ user, filter });
    expect([response.status, await response.text()]).toEqual([400, refusal]);
  });

  test.each(['keys', 'tags'])('is answered with ten thousand %s, and refused with more', async (name) => {
    await put('a', { tags: ['a'] });
    const others = Array.from({ length: FILTER_LIMIT - 1 }, (_, n) => `k${n}`);
    expect(await keysFor({ [name]: [...others, 'a'], tagFilterMode: 'or' })).toEqual(['a']);
    const response = await ask({ user, filter: { [name]: [...others, 'a', 'b'] } });
    expect([response.status, await response.text()]).toEqual([
      400,
      `A filter can have at most 10000 ${name}, but has 10001.`,
    ]);
  });
});

test('an evaluation of one flag is counted with its variation, one of several is not', async () => {
  await put('f');
  await put('archived', { isArchived: true });
  for (const keys of [['f'], ['archived'], ['none']]) await ask({ user, filter: { keys } });
  expect(http.counted).toEqual(['f on', 'archived ', 'none ']);
  for (const filter of [undefined, { keys: ['f', 'archived'] }, { keys: ['f'], tags: ['t'] }])
    await ask({ user, filter });
  await ask({ user, filter: { keys: ['f'], timestamp: 1 } });
  expect(http.counted).toHaveLength(3);
});
