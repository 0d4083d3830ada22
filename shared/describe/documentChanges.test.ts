import { describe, expect, test } from '@jest/globals';
import { aFlag, aSegment } from '../../console/page/testing/documents.ts';
import { withRollout } from '../flags/edits/flagEdits.ts';
import { countReads } from '../testing/countReads.ts';
import { changesOf } from './documentChanges.ts';

const flag = aFlag();
const added = { ...(flag.rules[1] as (typeof flag.rules)[0]), id: 'country', name: 'Country' };
const changed = (document: typeof flag) =>
  changesOf({ kind: 'flag', document: flag }, { kind: 'flag', document }, () => 'Beta').map(
    ({ label, before = 'none', after = 'none' }) => `${label}: ${before} → ${after}`,
  );

describe('changes of a flag in words', () => {
  test.each([
    ['its switch', { isEnabled: true }, 'Switch: off → on'],
    ['its switch without a new id', { isEnabled: true, id: 'other' }, 'Switch: off → on'],
    ['its end', { isArchived: true }, 'Archived: no → yes'],
    ['its name', { name: 'Checkout' }, 'Name: New checkout → Checkout'],
    ['a tag', { tags: ['checkout', 'web'] }, 'Tags: checkout → checkout, web'],
    ['what it serves when off', { disabledVariationId: 'on' }, 'When off, serve: false → true'],
    [
      'a target',
      { targetUsers: [{ variationId: 'off', keyIds: ['eve', 'bob'] }] },
      'Individual targets for “false”: eve → eve, bob',
    ],
    ['the order', { rules: flag.rules.toReversed() }, 'Order of rules: 1 Customers, 2 Staff → 1 Staff, 2 Customers'],
    [
      'no order if a rule is removed',
      { rules: flag.rules.slice(0, 1) },
      'Rule “Staff”: email ends-with @acme.com → true → none',
    ],
    [
      'no order if a rule is appended',
      { rules: [...flag.rules, added] },
      'Rule “Country”: none → email ends-with @acme.com → true',
    ],
    ['experiments', { exptIncludeAllTargets: false }, 'Sent to experiments: all users → only the configured shares'],
  ])('show %s', (_, change, line) => expect(changed({ ...flag, ...change })).toEqual([line]));

  test('show the order if a rule is inserted before others', () => {
    expect(changed({ ...flag, rules: [added, ...flag.rules] })).toEqual([
      'Rule “Country”: none → email ends-with @acme.com → true',
      'Order of rules: 1 Customers, 2 Staff → 1 Country, 2 Customers, 3 Staff',
    ]);
  });

  test('show a rollout with its shares in percent', () => {
    expect(changed(withRollout(flag, { shares: ['true=12.5', 'false=87.5'], by: 'company' }))).toEqual([
      'Default rule: false 100 % → true 12.5 %, false 87.5 % by company',
    ]);
  });

  test('show a rule with its conditions as people write them', () => {
    const [rule] = flag.rules;
    const condition = { property: 'User is in segment', op: null, value: '["beta-id"]' };
    const rules = flag.rules.with(0, { ...(rule as (typeof flag.rules)[0]), conditions: [condition] });
    expect(changed({ ...flag, rules })).toEqual(['Rule “Customers”, conditions: plan = pro → in segment Beta']);
    expect(changed({ ...flag, rules: rules.slice(0, 1) })).toContainEqual(
      'Rule “Staff”: email ends-with @acme.com → true → none',
    );
  });

  test('show only the new shares of a rule', () => {
    expect(changed(withRollout(flag, { shares: ['true=10', 'false=90'] }, flag.rules[0]))).toEqual([
      'Rule “Customers”: true 100 % → true 10 %, false 90 %',
    ]);
  });

  test('show the new name of a rule, also next to another change', () => {
    const rules = flag.rules.map((rule) => (rule.name === 'Staff' ? { ...rule, name: 'Team' } : rule));
    expect(changed({ ...flag, rules })).toEqual(['Rule “Team”, name: Staff → Team']);
    expect(changed({ ...flag, rules, isEnabled: true })).toEqual([
      'Switch: off → on',
      'Rule “Team”, name: Staff → Team',
    ]);
  });

  test('are empty without a change, and show an unknown field as it is stored', () => {
    expect(changed(flag)).toEqual([]);
    expect(changed({ ...flag, owner: 'web' } as typeof flag)).toEqual(['owner: none → web']);
    expect(changed({ ...flag, owner: 'web', isEnabled: true } as typeof flag)).toEqual([
      'Switch: off → on',
      'owner: none → web',
    ]);
  });

  test('show what words do not tell as it is stored, such as the id of a condition', () => {
    const rules = flag.rules.map((rule) => ({
      ...rule,
      conditions: rule.conditions.map((each) => ({ ...each, id: 'x' })),
    }));
    expect(changed({ ...flag, rules })).toHaveLength(4);
  });

  test('show all settings of a new flag', () => {
    const labels = changesOf(undefined, { kind: 'flag', document: flag }).map(({ label, before }) => [label, before]);
    expect(labels).toContainEqual(['Rule “Customers”', undefined]);
    expect(labels).not.toContainEqual(['Description', undefined]);
  });
});

test('shows changes of a segment in words', () => {
  const segment = aSegment();
  const after = { ...segment, included: ['ann', 'bob'], excluded: ['eve'], rules: [] };
  expect(changesOf({ kind: 'segment', document: segment }, { kind: 'segment', document: after })).toEqual([
    { label: 'Included users', before: 'ann', after: 'ann, bob' },
    { label: 'Excluded users', before: '', after: 'eve' },
    { label: 'Rule “Staff”', before: 'email ends-with @acme.com', after: undefined },
  ]);
});

describe('changes of a large flag', () => {
  const many = <T>(n: number, item: (id: string, index: number) => T) =>
    Array.from({ length: n }, (_, index) => item(`i${index}`, index));
  /** A flag with as many items in each of its lists, and its change. */
  const sized = (n: number) => {
    const shares = many(n, (id, i) => ({ id, rollout: [i / n, (i + 1) / n] as const, exptRollout: 0.5 }));
    const rollout = { dispatchKey: null, includedInExpt: true, variations: shares };
    const before = aFlag({
      variations: many(n, (id, i) => ({ id, name: `name ${i % (n / 2)}`, value: id })),
      targetUsers: many(n, (variationId) => ({ variationId, keyIds: [variationId] })),
      rules: many(n, (id) => ({ ...rollout, id, name: id, conditions: [], variations: shares.slice(0, 2) })),
      fallthrough: rollout,
    });
    return { before, after: { ...before, tags: ['x'], nested: many(n, (id) => ({ id, name: id })) } };
  };
  const readsOf = (n: number) =>
    countReads(sized(n), ({ before, after }) =>
      changesOf({ kind: 'flag', document: before }, { kind: 'flag', document: after }),
    );

  test('take time in proportion to its size', () => {
    expect(readsOf(400) / readsOf(100)).toBeLessThan(4.2);
  });

  test('have texts in proportion to its size, also if all shares have one long name', () => {
    const [variation] = flag.variations;
    const share = { id: 'off', exptRollout: 0.5 };
    const long = aFlag({
      variations: [{ id: 'off', value: 'false', ...variation, name: 'x'.repeat(50_000) }],
      fallthrough: {
        ...flag.fallthrough,
        includedInExpt: true,
        variations: many(1_000, (_, i) => ({ ...share, rollout: [i / 1_000, (i + 1) / 1_000] as const })),
      },
      rules: many(1_000, (id) => ({
        ...flag.fallthrough,
        id,
        name: id,
        conditions: [{ property: 'User is in segment', op: null, value: '["s"]' }],
      })),
    });
    const texts = changesOf(
      { kind: 'flag', document: { ...long, fallthrough: flag.fallthrough, rules: [] } },
      { kind: 'flag', document: long },
      () => 'y'.repeat(50_000),
    ).flatMap(({ label, before = '', after = '' }) => [label, before, after]);
    expect(texts.join('').length).toBeLessThan(JSON.stringify(long).length * 10);
  });
});
