import { describe, expect, test } from '@jest/globals';
import { asDeleted } from '../flags/deletion.ts';
import { byKind, type Document } from '../flags/document.ts';
import type { Flag } from '../flags/flag.ts';
import { type Condition, IN_SEGMENT, NOT_IN_SEGMENT } from '../flags/rule.ts';
import type { Segment } from '../flags/segment.ts';
import { aCondition, aFlag, aRollout, aRule, aSegment, share } from '../testing/builders.ts';
import { countReads } from '../testing/countReads.ts';
import { type CopiedParts, type CopyEnvironment, copyFlags, withKnownIds } from './copyFlags.ts';

const environment = (name: string, flags: readonly Flag[], segments: readonly Segment[] = []): CopyEnvironment => ({
  name,
  documents: [
    ...segments.map((document): Document => ({ kind: 'segment', document })),
    ...flags.map((document): Document => ({ kind: 'flag', document })),
  ],
});
const copiedParts = (parts: CopiedParts, source: CopyEnvironment, target: CopyEnvironment, keys: readonly string[]) => {
  let n = 0;
  const uuid = () => `new-${n++}`;
  return byKind(copyFlags(keys.length > 0 ? keys : ['a-flag'], source, target, uuid, parts));
};
const copied = (source: CopyEnvironment, target: CopyEnvironment, ...keys: string[]) =>
  copiedParts('targeting and state', source, target, keys);

describe('a copied flag', () => {
  test('has the settings of the source, and identity and other fields of the target', () => {
    const settings = { name: 'Promoted', isEnabled: false, tags: ['a'], rules: [aRule([])] };
    const source = aFlag({ id: 'source', ...settings });
    const target = { ...aFlag({ id: 'target', tags: ['b'] }), owner: 'ann' };
    const { flags } = copied(environment('staging', [source]), environment('production', [target]));
    expect(flags).toEqual([{ ...target, ...settings }]);
  });

  test('stays on or off with its targeting alone, and is off where it is new', () => {
    const source = environment('staging', [aFlag({ name: 'Promoted', isEnabled: true })]);
    for (const isEnabled of [true, false]) {
      const { flags } = copiedParts('targeting', source, environment('production', [aFlag({ isEnabled })]), []);
      expect(flags).toMatchObject([{ name: 'Promoted', isEnabled }]);
    }
    for (const present of [[], [asDeleted(aFlag({ isEnabled: true }))]]) {
      const { flags } = copiedParts('targeting', source, environment('production', present), []);
      expect(flags).toMatchObject([{ name: 'Promoted', isEnabled: false }]);
    }
  });

  test('gets an id of its own if the target lacks it, or has deleted it', () => {
    const source = environment('staging', [aFlag({ id: 'source' })]);
    for (const flags of [[], [asDeleted(aFlag({ id: 'gone' }))]]) {
      expect(copied(source, environment('production', flags)).flags).toEqual([aFlag({ id: 'new-0' })]);
    }
  });

  test('keeps ids of variations and rules of the same value or name in the target', () => {
    const source = aFlag({
      variations: [
        { id: 's-true', value: 'true' },
        { id: 's-false', value: 'false' },
        { id: 's-maybe', value: 'maybe' },
      ],
      disabledVariationId: 's-false',
      targetUsers: [{ keyIds: ['ann'], variationId: 's-true' }],
      rules: [aRule([], { id: 's-rule', name: 'Staff', variations: [share('s-maybe')] })],
      fallthrough: aRollout(share('s-true', 0, 0.5), share('s-false', 0.5, 1)),
    });
    const target = aFlag({
      variations: [
        { id: 't-false', value: 'false' },
        { id: 't-true', value: 'true' },
      ],
      rules: [aRule([], { id: 't-rule', name: 'Staff' })],
    });
    const { flags } = copied(environment('staging', [source]), environment('production', [target]));
    expect(flags).toMatchObject([
      {
        variations: [{ id: 't-true' }, { id: 't-false' }, { id: 's-maybe' }],
        disabledVariationId: 't-false',
        targetUsers: [{ variationId: 't-true' }],
        rules: [{ id: 't-rule', variations: [{ id: 's-maybe' }] }],
        fallthrough: { variations: [{ id: 't-true' }, { id: 't-false' }] },
      },
    ]);
  });

  test('keeps the ids that equal conditions have in the target, each once', () => {
    const condition = (id: string | undefined, value: string) => ({
      ...(id === undefined ? {} : { id }),
      ...aCondition('plan', 'Equal', value),
    });
    const withConditions = (id: string, ...conditions: Condition[]) =>
      aFlag({ id: 'target', rules: [aRule(conditions, { id, name: 'Staff' })] });
    const copyOf = (source: Flag, target: Flag) =>
      copied(environment('staging', [source]), environment('production', [target])).flags[0]?.rules;
    const target = withConditions('t-rule', condition('t-1', 'pro'), condition('t-2', 'free'));
    const source = withConditions('s-rule', condition('s-1', 'pro'), condition('s-2', 'free'));
    expect(copyOf(source, target)).toEqual(target.rules);
    const idless = withConditions('t-rule', condition(undefined, 'pro'), condition(undefined, 'free'));
    expect(copyOf(source, idless)).toEqual(idless.rules);
    expect(copyOf(idless, target)).toEqual(target.rules);
    // Both have t-1, so that no other condition gets this id.
    const moved = withConditions('s-rule', condition('t-1', 'free'), condition('s-2', 'pro'), condition('s-3', 'pro'));
    expect(copyOf(moved, target)?.[0]?.conditions).toEqual(moved.rules[0]?.conditions);
  });

  test('keeps a variation whose value changed, where both have its id', () => {
    const variations = (first: string, second: string) => [
      { id: 'one', value: first },
      { id: 'two', value: second },
    ];
    const source = aFlag({ variations: variations('old', 'new') });
    const target = aFlag({ variations: variations('new', 'old') });
    const { flags } = copied(environment('staging', [source]), environment('production', [target]));
    expect(flags[0]?.variations).toEqual(source.variations);
  });

  test.each([
    ['is not there', environment('s', []), environment('t', []), 'there is no flag "a-flag" in "s"'],
    ['was deleted', environment('s', [asDeleted(aFlag())]), environment('t', []), 'of "s" was deleted; `undo 2024'],
    ['is archived', environment('s', [aFlag({ isArchived: true })]), environment('t', []), 'is archived in "s"'],
    [
      'is archived in the target',
      environment('s', [aFlag()]),
      environment('t', [aFlag({ isArchived: true })]),
      'flag "a-flag" is archived in "t"; restore it first',
    ],
  ])('is refused if it %s', (_, source, target, message) => {
    expect(() => copied(source, target)).toThrow(message);
  });
});

describe('a segment of a copied flag', () => {
  const asking = (...ids: string[]) =>
    aFlag({
      rules: [
        aRule([aCondition(IN_SEGMENT, null, JSON.stringify(ids))]),
        aRule([aCondition(NOT_IN_SEGMENT, null, '["s"]')]),
      ],
    });
  const beta = aSegment({ id: 's', name: 'Beta', included: ['ann'] });
  const asked = ({ flags }: ReturnType<typeof copied>) =>
    flags.flatMap(({ rules }) => rules.flatMap(({ conditions }) => conditions.map(({ value }) => value)));
  const source = environment('staging', [asking('s', 'unknown')], [beta]);

  test.each([
    ['the same name', [aSegment({ id: 't', name: 'Beta' }), aSegment({ id: 's', name: 'Other' })], 't'],
    ['the same name and id', [aSegment({ id: 't', name: 'Beta' }), aSegment({ id: 's', name: 'Beta' })], 's'],
    ['the same id', [aSegment({ id: 's', name: 'Renamed' })], 's'],
  ])('is the one of %s', (_, segments, id) => {
    const result = copied(source, environment('production', [], segments));
    expect(asked(result)).toEqual([JSON.stringify([id, 'unknown']), JSON.stringify([id])]);
    expect(result.segments).toEqual([]);
  });

  test('is refused if several segments of the target have its name', () => {
    const twins = [aSegment({ id: 't', name: 'Beta' }), aSegment({ id: 'u', name: 'Beta' })];
    expect(() => copied(source, environment('production', [], twins))).toThrow(
      'several segments of "production" are named "Beta": t, u; rename all but one',
    );
  });

  test('is copied once if it is missing, with a new id', () => {
    expect(copied(source, environment('production', [])).segments).toEqual([beta]);
    const deleted = environment('production', [], [asDeleted(aSegment({ id: 's', name: 'Old' }))]);
    const result = copied(source, deleted);
    expect(result.segments).toEqual([{ ...beta, id: expect.stringMatching(/^new-/) }]);
    const [{ id = '' } = {}] = result.segments;
    expect(asked(result)).toEqual([JSON.stringify([id, 'unknown']), JSON.stringify([id])]);
  });

  test('is refused if it was deleted, with the flag and the way out', () => {
    const deleted = asDeleted(aSegment({ id: 's', name: 'Beta' }));
    const target = environment('production', [], [aSegment({ id: 't', name: 'Beta' })]);
    expect(() => copied(environment('staging', [asking('s')], [deleted]), target)).toThrow(
      'flag "a-flag" refers to a deleted segment: segment "Beta" of "staging" was deleted; ' +
        '`undo 2024-01-02T03:04:05.678Z` restores it, unless it was imported as deleted. Restore it first, or remove the segment from the rules of the flag',
    );
  });

  test('is refused if it is archived in the target', () => {
    const target = environment('production', [], [aSegment({ id: 't', name: 'Beta', isArchived: true })]);
    expect(() => copied(source, target)).toThrow('segment "Beta" is archived in "production"; restore it first');
  });
});

test('rules and conditions find their ids in time in proportion to their number', () => {
  const readsOf = (n: number) => {
    const numbered = (id: string) => Array.from({ length: n }, (_, index) => [`${id}${index}`, `${index}`] as const);
    const rules = (id: string) => [
      aRule(numbered(id).map(([each, value]) => ({ ...aCondition('a', 'Equal', value), id: each }))),
      ...numbered(id).map(([each, name]) => aRule([], { id: each, name })),
    ];
    const sources = [rules('s').toReversed(), rules('t')] as const;
    expect(withKnownIds(...sources)).toEqual(
      sources[1].toReversed().map((rule) => ({ ...rule, conditions: expect.anything() })),
    );
    return countReads(sources, (counted) => withKnownIds(...counted));
  };
  expect(readsOf(400) / readsOf(100)).toBeLessThan(4.2);
});
