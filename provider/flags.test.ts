import { beforeEach, expect, test } from '@jest/globals';
import { RE2 } from '../shared/evaluation/compileOperator.ts';
import { EngineMissing } from '../shared/evaluation/operators.ts';
import type { Document } from '../shared/flags/document.ts';
import { IN_SEGMENT } from '../shared/flags/rule.ts';
import { encodeDocument, type StoredDocument } from '../shared/store/documents/item.ts';
import type { ReadStep } from '../shared/store/snapshots/readStep.ts';
import { aCondition, aFlag, aRule, aSegment, aUser } from '../shared/testing/builders.ts';
import { Flags } from './flags.ts';

const stamp = { envId: 'e', updatedAt: 1, previous: 0, writtenAt: 0, targetedAt: 0 };
const stored = (document: Document): StoredDocument => encodeDocument(document, stamp);
const flag = (key: string, fields: Parameters<typeof aFlag>[0] = {}) =>
  stored({ kind: 'flag', document: aFlag({ key, ...fields }) });
const unreadable: StoredDocument = { ...stamp, kind: 'flag', id: 'bad', body: { text: '{}' } };
const byRule = (...condition: Parameters<typeof aCondition>) => ({ rules: [aRule([aCondition(...condition)])] });

let lines: string[] = [];
let engine: typeof RE2 | undefined;
const deps = { missingAttribute: 'empty', engine: () => engine, report: (line: string) => lines.push(line) } as const;

beforeEach(() => {
  [lines, engine] = [[], undefined];
});

function flagsOf(documents: readonly StoredDocument[], before?: Flags): Flags {
  const step = { documents, ...(before ? { after: 1 } : {}) } as unknown as ReadStep;
  return new Flags(step, before, deps);
}

const serves = (flags: Flags, key: string, user = aUser('u1')) => flags.get(key)?.evaluate(user).variationId;

test('a flag is parsed and compiled on its first use, and once', () => {
  const flags = flagsOf([flag('f'), unreadable]);
  expect(lines).toEqual([]);
  expect(flags.get('f')).toBe(flags.get('f'));
  expect(flags.get('none')).toBeUndefined();
});

test('a flag that cannot be read is reported once, and is absent', () => {
  const flags = flagsOf([flag('f'), unreadable]);
  expect([flags.get('bad'), flags.get('bad'), serves(flags, 'f')]).toEqual([undefined, undefined, 'on']);
  expect(lines).toEqual([expect.stringMatching(/^flag "bad" cannot be read: /)]);
});

test('a condition with an unintended effect is reported', () => {
  const flags = flagsOf([flag('f', byRule('plan', 'IsOneOf', 'x'))]);
  expect(serves(flags, 'f')).toBe('on');
  expect(lines).toEqual([
    expect.stringContaining('flag "f" rules[0].conditions[0] never matches: is not a JSON array'),
  ]);
});

test('a change keeps other flags as they were compiled', () => {
  const before = flagsOf([flag('f'), flag('g')]);
  const f = before.get('f');
  const after = flagsOf([flag('g', { isEnabled: false })], before);
  expect([after.get('f') === f, serves(after, 'g'), serves(before, 'g')]).toEqual([true, 'off', 'on']);
});

test('a change of a segment applies to the flags that use it', () => {
  const segment = (included: string[]) => stored({ kind: 'segment', document: aSegment({ id: 's', included }) });
  const before = flagsOf([flag('f', byRule(IN_SEGMENT, '', '["s"]')), segment([])]);
  expect(serves(before, 'f')).toBe('on');
  expect(serves(flagsOf([segment(['u1'])], before), 'f')).toBe('off');
});

test('all documents of an environment replace those before', () => {
  expect(flagsOf([flag('g')]).get('f')).toBeUndefined();
});

test('only a flag with a regular expression needs the engine', () => {
  const flags = flagsOf([flag('f', byRule('plan', 'MatchRegex', 'p')), flag('g')]);
  expect(serves(flags, 'g')).toBe('on');
  expect(() => flags.get('f')).toThrow(EngineMissing);
  engine = RE2;
  expect(serves(flags, 'f', aUser('u1', { plan: 'pro' }))).toBe('off');
});

test('the size is that of the documents as JSON', () => {
  const one = flag('f');
  const bytes = 'text' in one.body ? one.body.text.length : 0;
  expect([flagsOf([]).bytes, flagsOf([one, { ...one, id: 'g' }]).bytes]).toEqual([0, 2 * bytes]);
});
