import { expect, test } from '@jest/globals';
import { aFlag } from '../shared/testing/builders.ts';
import { type BatchEdit, batchText, editedFlag } from './flagBatch.ts';

const flag = aFlag({ isEnabled: false, tags: ['a'] });
const archived = aFlag({ isEnabled: false, isArchived: true });

test.each<[BatchEdit, Partial<typeof flag>]>([
  [{ kind: 'on' }, { isEnabled: true }],
  [{ kind: 'archive' }, { isArchived: true }],
  [{ kind: 'add-tag', tag: 'b' }, { tags: ['a', 'b'] }],
  [{ kind: 'remove-tag', tag: 'a' }, { tags: [] }],
])('%j changes that and nothing else', (edit, changed) => {
  expect(editedFlag(flag, edit)).toEqual({ ...flag, ...changed });
});

test.each<[BatchEdit, typeof flag]>([
  [{ kind: 'off' }, flag],
  [{ kind: 'restore' }, flag],
  [{ kind: 'add-tag', tag: 'a' }, flag],
  [{ kind: 'remove-tag', tag: 'b' }, flag],
  [{ kind: 'archive' }, archived],
  [{ kind: 'on' }, archived],
])('%j leaves a flag alone that is so already, or cannot be', (edit, unchanged) => {
  expect(editedFlag(unchanged, edit)).toBe(unchanged);
});

test('an archived flag is restored as it was', () => {
  expect(editedFlag(archived, { kind: 'restore' })).toEqual({ ...archived, isArchived: false });
});

test('an edit is said in words', () => {
  expect([
    batchText({ kind: 'off' }, 1),
    batchText({ kind: 'archive' }, 2),
    batchText({ kind: 'add-tag', tag: 'x' }, 3),
    batchText({ kind: 'remove-tag', tag: 'x' }, 1),
  ]).toEqual(['turn off 1 flag', 'archive 2 flags', 'add tag “x” to 3 flags', 'remove tag “x” from 1 flag']);
});
