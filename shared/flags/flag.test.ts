import { describe, expect, test } from '@jest/globals';
import { aCondition, aFlag, aRollout, aRule, share } from '../testing/builders.ts';
import { accepted, benchmarkDocuments, sdkFixtureDocuments } from '../testing/fixtures.ts';
import { parseFlag } from './flag.ts';
import { formatProblem } from './problem.ts';
import { NOT_IN_SEGMENT, type Rollout } from './rule.ts';

/** Errors of a flag whose fields are replaced by these. */
function errorsOf(fields: Record<string, unknown>): string[] {
  return parseFlag({ ...aFlag(), ...fields })
    .problems.filter(({ severity }) => severity === 'error')
    .map(formatProblem);
}

const segmentCondition = (value: string | null) => ({ rules: [aRule([aCondition(NOT_IN_SEGMENT, null, value)])] });

function warningsOf(fields: Record<string, unknown>): string[] {
  const result = parseFlag({ ...aFlag(), ...fields });
  expect(result.ok).toBe(true);
  return result.problems.map(formatProblem);
}

describe('parseFlag', () => {
  test('takes a whole flag as it is', () => {
    const flag = aFlag({ description: 'What it is for' });
    expect(parseFlag(flag)).toEqual({ ok: true, value: flag, problems: [] });
  });

  test.each([
    ['the benchmark', benchmarkDocuments()],
    ['the SDKs’ tests', sdkFixtureDocuments()],
  ])('takes the flags of %s and keeps every field but the timestamp’s precision', (_, { flags }) => {
    for (const document of flags) {
      const { updatedAt, ...rest } = document as { updatedAt: string };
      expect(accepted(parseFlag(document))).toMatchObject(rest);
    }
  });

  test('gives the fields that old documents lack FeatBit’s defaults', () => {
    const flag = accepted(
      parseFlag({
        key: 'old',
        isEnabled: true,
        variations: [{ id: 'on', name: null, value: 'true' }],
        rules: [{ conditions: [{ property: 'age', op: 'Equal', value: '1', id: null }], variations: [] }],
        fallthrough: { variations: [{ id: 'on', rollout: [0, 1] }] },
      }),
    );
    expect(flag).toMatchObject({
      id: 'old',
      envId: '',
      name: '',
      description: '',
      variationType: 'string',
      targetUsers: [],
      rules: [{ id: 'rule-1', name: '', dispatchKey: null, includedInExpt: false }],
      disabledVariationId: '',
      fallthrough: { dispatchKey: null, includedInExpt: false, variations: [{ exptRollout: 1 }] },
      exptIncludeAllTargets: true,
      tags: [],
      updatedAt: '1970-01-01T00:00:00.000Z',
      isArchived: false,
    });
  });

  test('trims tags, and takes each once and none that is empty', () => {
    const tags = ['web', 'web', 'Web', ' web ', '', ' \n', 'a b'];
    expect(accepted(parseFlag({ ...aFlag(), tags })).tags).toEqual(['web', 'Web', 'a b']);
  });

  test('gives rules without an id, or with one of an earlier rule, ids of their own', () => {
    const idsOf = (...given: unknown[]) => {
      const rules = given.map((id) => ({ ...aRule([]), id }));
      return accepted(parseFlag({ ...aFlag(), rules })).rules.map(({ id }) => id);
    };
    expect(idsOf(undefined, '', null)).toEqual(['rule-1', 'rule-2', 'rule-3']);
    expect(idsOf('a', 'b', 'a', 'c')).toEqual(['a', 'b', 'rule-3', 'c']);
    expect(idsOf('', 'rule-1', 'rule-2', '')).toEqual(['rule-3', 'rule-1', 'rule-2', 'rule-4']);
    expect(idsOf('rule-2', 'rule-2')).toEqual(['rule-2', 'rule-3']);
  });

  test('keeps unknown fields at every level', () => {
    const extended = {
      ...aFlag(),
      revision: 'r1',
      variations: [{ id: 'on', value: 'true', colour: 'green' }],
      disabledVariationId: 'on',
      targetUsers: [{ keyIds: ['u1'], variationId: 'on', note: 'x' }],
      rules: [
        {
          ...aRule([], { variations: [{ ...share('on'), weight: 7 } as never] }),
          owner: 'me',
          conditions: [{ property: 'age', op: 'Equal', value: '1', type: 'n' }],
        },
      ],
      fallthrough: { ...aRollout(share('on')), note: { deep: [null] } },
    };
    expect(accepted(parseFlag(extended))).toEqual(extended);
  });

  test('brings updatedAt to three fraction digits and UTC', () => {
    const flag = accepted(parseFlag({ ...aFlag(), updatedAt: '2023-01-19T09:04:54.0465535+01:00' }));
    expect(flag.updatedAt).toBe('2023-01-19T08:04:54.046Z');
  });

  test('fields named __proto__ or constructor do no harm', () => {
    const text = JSON.stringify({ ...aFlag(), constructor: 1 }).replace('{', '{"__proto__":{"isArchived":true},');
    const flag = accepted(parseFlag(JSON.parse(text)));
    expect(flag.isArchived).toBe(false);
    expect(Object.getPrototypeOf(flag)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('isArchived');
  });

  test.each([
    ['null', null, 'null'],
    ['an array', [], 'an array'],
    ['a text', '{}', 'a string'],
    ['nothing', undefined, 'missing'],
  ])('refuses %s', (_, document, described) => {
    const message = `a flag must be an object, but is ${described}`;
    expect(parseFlag(document)).toEqual({ ok: false, problems: [{ path: '', message, severity: 'error' }] });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ key: undefined }, 'key: must be a string'],
    [{ key: 'with space' }, 'key: must be 1 to 128 letters, digits'],
    [{ key: '' }, 'key: must be 1 to 128 letters, digits'],
    [{ key: 'x'.repeat(129) }, 'key: must be 1 to 128 letters, digits'],
    [{ key: 'line\n' }, 'key: must be 1 to 128 letters, digits'],
    [{ isEnabled: null }, 'isEnabled: must be true or false'],
    [{ isArchived: 'no' }, 'isArchived: must be true or false'],
    [{ variationType: 'date' }, 'variationType: must be one of boolean, string, number, json, but is "date"'],
    [{ variations: [] }, 'variations: must have at least one variation'],
    [{ variations: [{ id: 'on', value: true }] }, 'variations[0].value: must be a string'],
    [{ variations: [{ id: 'on', name: 1, value: '' }] }, 'variations[0].name: must be a string, but is a number'],
    [
      { variations: ['on', 'on'].map((id) => ({ id, value: '' })) },
      'variations[1].id: "on" is also the id of an earlier',
    ],
    [{ targetUsers: [{ keyIds: [1], variationId: 'on' }] }, 'targetUsers[0].keyIds[0]: must be a string'],
    [{ rules: [null] }, 'rules[0]: must be an object, but is null'],
    [{ rules: [{ conditions: [{ property: 'a', value: 1 }] }] }, 'rules[0].conditions[0].value: must be a string or n'],
    [
      { rules: [{ conditions: [{ property: 'a', id: 1 }] }] },
      'rules[0].conditions[0].id: must be a string, but is a n',
    ],
    [segmentCondition('vip'), 'rules[0].conditions[0].value: must be a JSON array of segment ids'],
    [segmentCondition(''), 'rules[0].conditions[0].value: must be a JSON array of segment ids'],
    [segmentCondition('{}'), 'rules[0].conditions[0].value: must be a JSON array of segment ids'],
    [{ rules: [{ dispatchKey: 1 }] }, 'rules[0].dispatchKey: must be a string or null, but is a number'],
    [{ fallthrough: undefined }, 'fallthrough: must be an object, but is missing'],
    [{ fallthrough: { variations: [{ id: 'on' }] } }, 'fallthrough.variations[0].rollout: must be an array of two'],
    [
      { fallthrough: aRollout({ ...share('on'), rollout: [0, '1'] as never }) },
      'fallthrough.variations[0].rollout: mus',
    ],
    [
      { fallthrough: aRollout({ ...share('on'), rollout: [0, 0.5, 1] as never }) },
      'fallthrough.variations[0].rollout: mus',
    ],
    [{ fallthrough: aRollout(share('on', 0, Number.POSITIVE_INFINITY)) }, 'fallthrough.variations[0].rollout: must be'],
    [
      { fallthrough: aRollout({ ...share('on'), exptRollout: '1' as never }) },
      'fallthrough.variations[0].exptRollout:',
    ],
    [{ tags: [{}] }, 'tags[0]: must be a string, but is an object'],
    [{ updatedAt: 'today' }, 'updatedAt: "today" is not an ISO 8601 instant'],
  ])('%j is an error: %s', (fields, message) => {
    expect(errorsOf(fields)).toContainEqual(expect.stringContaining(message));
  });

  test.each([['["vip"]'], ['[]'], ['null'], [null]])('takes %j as a list of segments', (value) => {
    expect(errorsOf(segmentCondition(value))).toEqual([]);
  });

  test('names every error of a document at once, and each once', () => {
    expect(errorsOf({ key: '?', isEnabled: 1, tags: 'none', variationType: 1, updatedAt: 1 })).toEqual([
      'variationType: must be a string, but is a number',
      'isEnabled: must be true or false, but is a number',
      'tags: must be an array, but is a string',
      'updatedAt: must be a string, but is a number',
      expect.stringMatching(/^key: must be 1 to 128/),
    ]);
  });

  test.each<[Record<string, unknown>, string]>([
    [
      { variations: ['on', 'off'].map((id) => ({ id, name: 'blue', value: 'b' })) },
      'it has two variations "blue" with the same value',
    ],
    [
      {
        variations: [
          { id: 'on', value: 'b' },
          { id: 'off', name: '', value: 'b' },
        ],
      },
      'it has two variations "b" with the same value',
    ],
    [
      { rules: [aRule([aCondition('', 'Equal', '1')])] },
      'rules[0].conditions[0].property: names no attribute: the condition compares empty text',
    ],
    [{ disabledVariationId: 'gone' }, 'disabledVariationId: "gone" is not the id of a variation of this flag'],
    [{ targetUsers: [{ keyIds: [], variationId: 'gone' }] }, 'targetUsers[0].variationId: "gone" is not the id'],
    [{ rules: [aRule([], aRollout(share('gone')))] }, 'rules[0].variations[0].id: "gone" is not the id'],
    [{ fallthrough: aRollout(share('gone')) }, 'fallthrough.variations[0].id: "gone" is not the id'],
    [{ fallthrough: aRollout() }, 'fallthrough.variations: is empty: matching users get an empty variation'],
    [{ fallthrough: aRollout(share('on', 0.25, 0.1)) }, 'fallthrough.variations[0].rollout: [0.25, 0.1] should be'],
    [{ fallthrough: aRollout(share('on', -0.1, 1)) }, 'fallthrough.variations[0].rollout: [-0.1, 1] should be'],
    [{ fallthrough: aRollout(share('on', 0, 1.1)) }, 'fallthrough.variations[0].rollout: [0, 1.1] should be'],
    [{ fallthrough: aRollout(share('on', 0, 0.4)) }, 'fallthrough.variations: no range covers 0.4 to 1 of [0, 1]'],
    [
      { fallthrough: aRollout(share('on', 0, 0.4), share('off', 0.5, 1)) },
      'fallthrough.variations: no range covers 0.4 to 0.5 of [0, 1]',
    ],
    [
      { fallthrough: aRollout(share('on', 0, 0.6), share('off', 0.5, 1)) },
      'variations: the ranges overlap between 0.5 and 0.6',
    ],
  ])('%j is a warning: %s', (fields, message) => {
    expect(warningsOf(fields)).toContainEqual(expect.stringContaining(message));
  });

  test.each<[string, Rollout]>([
    ['that follow one another', aRollout(share('on', 0, 0.4), share('off', 0.4, 1))],
    ['of which one is empty', aRollout(share('on', 0.5, 0.5), share('off', 0, 1))],
  ])('ranges %s are no warning', (_, fallthrough) => {
    expect(warningsOf({ fallthrough })).toEqual([]);
  });
});
