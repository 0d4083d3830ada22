import { describe, expect, test } from '@jest/globals';
import { aFlag } from '../../console/page/testing/documents.ts';
import { withRollout, withTarget } from '../flags/edits/flagEdits.ts';
import type { Flag } from '../flags/flag.ts';
import { share } from '../testing/builders.ts';
import { differences } from './difference.ts';
import { changesIn, commandText, commandWithReason, undoneIn } from './historyText.ts';

const flag = aFlag();
const names = { flag, segmentName: () => 'Beta' };
const changeTo = (after: Flag) => ({
  kind: 'flag' as const,
  id: flag.key,
  isNew: false,
  action: 'edited' as const,
  // Unchanged JSON.
  differences: JSON.parse(JSON.stringify(differences(flag, after))),
  moreDifferences: 0,
});
const lines = (after: Flag) =>
  changesIn(changeTo(after), names).map(({ label, before, after: now }) => `${label}: ${before} → ${now}`);

test.each([
  ['the switch', { ...flag, isEnabled: true }, 'Switch: off → on'],
  ['the type', { ...flag, variationType: 'string' as const }, 'Type: boolean → string'],
  ['what it serves when off', { ...flag, disabledVariationId: 'on' }, 'When off, serve: false → true'],
  ['a target', withTarget(flag, 'on', ['bob']), 'Individual targets: false: eve → false: eve; true: bob'],
  ['tags', { ...flag, tags: ['a', 'b'] }, 'Tags: checkout → a, b'],
  [
    'a rule that goes',
    { ...flag, rules: flag.rules.slice(1) },
    'Rule “Customers”: Customers: plan = pro → true → undefined',
  ],
])('a change of %s is told in words', (_, after, line) => expect(lines(after)).toEqual([line]));

test('the first rule of a flag is told as one', () => {
  const empty = { ...flag, rules: [] };
  const change = { ...changeTo(flag), differences: differences(empty, flag) };
  expect(changesIn(change, names)[0]).toMatchObject({ label: 'Rules', before: '' });
});

describe('a change of shares', () => {
  test('shows each share in order', () => {
    expect(lines(withRollout(flag, { shares: ['true=10', 'false=90'] }))).toEqual([
      'Default rule: false 100 % → true 10 %, false 90 %',
    ]);
  });

  test('shows no percentages if all users get one variation before and after', () => {
    expect(lines(withRollout(flag, { shares: ['true'] }))).toEqual(['Default rule: false → true']);
  });

  test('sums shares that did not change', () => {
    const three = { ...flag, variations: [...flag.variations, { id: 'third', name: 'third', value: 'third' }] };
    const before = withRollout(three, { shares: ['false=50', 'true=50'] });
    const after = withRollout(three, { shares: ['false=50', 'true=30', 'third=20'] });
    const change = { isNew: false, differences: differences(before, after) };
    expect(changesIn(change, { ...names, flag: three })).toEqual([
      { label: 'Default rule', before: 'true 50 %, others 50 %', after: 'true 30 %, third 20 %, others 50 %' },
    ]);
  });

  test('is shown in a rule, too', () => {
    const [rule, other] = flag.rules as [Flag['rules'][number], Flag['rules'][number]];
    const halves = { ...rule, variations: [share('on', 0, 0.5), share('off', 0.5, 1)] };
    expect(lines({ ...flag, rules: [halves, other] })).toEqual([
      'Rule “Customers”: true 100 % → true 50 %, false 50 %',
    ]);
  });
});

test('a change of one condition names its rule', () => {
  const [rule, other] = flag.rules as [Flag['rules'][number], Flag['rules'][number]];
  const condition = { ...rule.conditions[0], value: 'free' } as (typeof rule.conditions)[number];
  expect(lines({ ...flag, rules: [{ ...rule, conditions: [condition] }, other] })).toEqual([
    'Rule “Customers”, conditions: pro → free',
  ]);
});

test('a renamed rule shows only its names', () => {
  const [rule, other] = flag.rules as [Flag['rules'][number], Flag['rules'][number]];
  expect(lines({ ...flag, rules: [{ ...rule, name: 'Pro' }, other] })).toEqual(['Rule “Pro”, name: Customers → Pro']);
});

test('shows an unknown field as it is stored', () => {
  expect(lines({ ...flag, owner: { team: 'web' } } as Flag)).toEqual(['Owner: undefined → {"team":"web"}']);
});

test('undoing turns a change round; what it made is archived', () => {
  expect(undoneIn(changeTo({ ...flag, isEnabled: true }), names)).toEqual([
    { label: 'Switch', before: 'on', after: 'off' },
  ]);
  expect(undoneIn({ ...changeTo(flag), isNew: true }, names)).toEqual([
    { label: 'Archived', before: 'no', after: 'yes' },
  ]);
});

test.each([
  ['flags toggle f', 'flags toggle f'],
  ['console: turned on flag f', 'console'],
  ['console: edited flag f (as (we) agreed)', 'console — as (we) agreed'],
  ['console: copied from “staging” (as agreed)', 'console: copied from “staging” — as agreed'],
  ['console: copied from “eu (1)”', 'console: copied from “eu (1)”'],
  ['console: add tag “a (b)” to 2 flags (as (we) agreed)', 'console — as (we) agreed'],
  ['console: archived flag f (as agreed); ended its plan', 'console; ended its plan — as agreed'],
  ['archive f; ended its plan', 'archive f; ended its plan'],
  ['step 1 of 2: console: turned on flag f (launch)', 'step 1 of 2: console — launch'],
  ['console: undid the change of 2030-01-01T00:00:00.000Z', 'console: undid the change of 2030-01-01T00:00:00.000Z'],
])('describes how a change was made: %s', (command, text) => expect(commandText(command)).toBe(text));

test('a reason stays whole behind a line that is cut', () => {
  const reason = `why (${'y'.repeat(194)})`;
  const line = commandWithReason(`console: remove tag “${'x'.repeat(1_000)}” from 3 flags`, reason);
  expect(line.length).toBeLessThanOrEqual(1_000);
  expect(line.endsWith(`x” from 3 flags (${reason})`)).toBe(true);
  expect(commandText(line)).toBe(`console — ${reason}`);
  expect([commandWithReason('on f', undefined), commandWithReason('on f', '')]).toEqual(['on f', 'on f']);
});
