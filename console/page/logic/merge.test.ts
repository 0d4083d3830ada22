import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseFlag } from '../../../shared/flags/flag.ts';
import { aFlag } from '../testing/documents.ts';
import { merge } from './merge.ts';

const base = aFlag();

describe('an edit on top of another', () => {
  test('has what only one of them changed', () => {
    const mine = { ...base, isEnabled: true };
    const theirs = { ...base, name: 'Renamed' };
    expect(merge(base, mine, theirs)).toEqual({ value: { ...base, isEnabled: true, name: 'Renamed' }, conflicts: [] });
  });

  test('wins where both changed the same, and says where', () => {
    const { value, conflicts } = merge(base, { ...base, name: 'Mine' }, { ...base, name: 'Theirs' });
    expect([value.name, conflicts]).toEqual(['Mine', ['name']]);
  });

  test('has the users and tags that both added, and none that either removed', () => {
    const start = { ...base, tags: ['a', 'b', 'c'] };
    const { value, conflicts } = merge(
      start,
      { ...start, tags: ['b', 'c', 'mine'] },
      { ...start, tags: ['a', 'theirs', 'c'] },
    );
    expect([value.tags, conflicts]).toEqual([['theirs', 'c', 'mine'], []]);
  });

  test('keeps rules that either added, each behind what it stood behind', () => {
    const [first, second] = base.rules;
    const added = (id: string) => ({ ...base.rules[0], id, name: id });
    const mine = { ...base, rules: [first, added('mine'), second] };
    const theirs = { ...base, rules: [first, second, added('theirs')] };
    const { value } = merge<unknown>(base, mine, theirs) as { value: typeof base };
    expect(value.rules.map(({ name }) => name)).toEqual(['Customers', 'mine', 'Staff', 'theirs']);
  });

  test('keeps the order that one gave the rules, and the other’s change to a rule', () => {
    const [first, second] = base.rules;
    const mine = { ...base, rules: [second, first] };
    const theirs = { ...base, rules: [{ ...first, name: 'Payers' }, second] };
    const { value } = merge<unknown>(base, mine, theirs) as { value: typeof base };
    expect(value.rules.map(({ name }) => name)).toEqual(['Staff', 'Payers']);
  });

  test('takes a rollout’s shares as one thing: mixed ones would leave gaps', () => {
    const shares = (upTo: number) => ({
      ...base.fallthrough,
      variations: [
        { id: 'on', rollout: [0, upTo], exptRollout: 1 },
        { id: 'off', rollout: [upTo, 1], exptRollout: 1 },
      ],
    });
    const start = { ...base, fallthrough: shares(0.5) };
    const { value, conflicts } = merge<unknown>(
      start,
      { ...start, fallthrough: shares(0.1) },
      { ...start, fallthrough: shares(0.9) },
    );
    expect((value as typeof start).fallthrough).toEqual(shares(0.1));
    expect(conflicts).toEqual(['fallthrough.variations']);
  });

  test('says so where one removed what the other changed', () => {
    const [, second] = base.rules;
    const changed = { ...base, rules: [{ ...base.rules[0], name: 'Payers' }, second] };
    const { value, conflicts } = merge<unknown>(base, { ...base, rules: [second] }, changed);
    expect((value as typeof base).rules).toEqual([second]);
    expect(conflicts).toEqual([`rules.${base.rules[0]?.id}`]);
  });
});

describe('a merge of any two edits', () => {
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.string({ maxLength: 3 }),
      fc.boolean(),
      fc.uniqueArray(fc.string({ maxLength: 2 }), { maxLength: 4 }),
      fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), of: tie('any') }), {
        maxLength: 4,
        selector: ({ id }) => id,
      }),
      fc.dictionary(fc.constantFrom('x', 'y', 'z'), tie('any'), { maxKeys: 3 }),
    ),
  })).any;

  test('is the other edit if one changes nothing, and the same edit if both are equal', () => {
    fc.assert(
      fc.property(value, value, (before, edit) => {
        expect(merge(before, edit, before)).toEqual({ value: edit, conflicts: [] });
        expect(merge(before, before, edit)).toEqual({ value: edit, conflicts: [] });
        expect(merge(before, edit, edit)).toEqual({ value: edit, conflicts: [] });
      }),
    );
  });

  test('is a valid flag for edits of a flag', () => {
    const edits = [
      { ...base, isEnabled: true },
      { ...base, rules: base.rules.slice(1) },
      { ...base, rules: base.rules.toReversed() },
      { ...base, tags: ['x'], name: 'y' },
      { ...base, targetUsers: [{ variationId: 'on', keyIds: ['ann', 'bob'] }] },
      { ...base, fallthrough: { ...base.fallthrough, dispatchKey: 'company' } },
    ];
    for (const mine of edits) {
      for (const theirs of edits) {
        expect(parseFlag(merge<unknown>(base, mine, theirs).value)).toMatchObject({ ok: true, problems: [] });
      }
    }
  });
});
