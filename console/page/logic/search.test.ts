import { describe, expect, test } from '@jest/globals';
import type { Flag } from '../../../shared/flags/flag.ts';
import { aFlag } from '../testing/documents.ts';
import { ALL_FLAGS, findFlags, formatFlagSearch, foundText, isFound, parseFlagSearch } from './search.ts';

test('finds by every word in key, name and tags, and archived flags only on request', () => {
  const flag = { kind: 'flag' as const, document: aFlag() };
  expect(isFound(flag, 'CHECK new', 'all')).toBe(true);
  expect(isFound(flag, 'checkout old', 'all')).toBe(false);
  expect([isFound(flag, '', 'on'), isFound(flag, '', 'off'), isFound(flag, '', 'archived')]).toEqual([
    false,
    true,
    false,
  ]);
  const archived = { kind: 'flag' as const, document: aFlag({ isArchived: true }) };
  expect([isFound(archived, '', 'all'), isFound(archived, '', 'archived')]).toEqual([false, true]);
});

describe('a list of flags', () => {
  const changes: Partial<Flag>[] = [
    { key: 'f-10', name: '', tags: ['a', 'b'] },
    { key: 'z', name: 'F-2', tags: ['a'], variationType: 'json' },
    { key: 'f-1', name: '', tags: [] },
  ];
  const flags = changes.map((changed, version) => ({ kind: 'flag' as const, document: aFlag(changed), version }));
  const keysOf = (search: Partial<typeof ALL_FLAGS>) =>
    findFlags(flags, { ...ALL_FLAGS, ...search }).map(({ document }) => document.key);

  test('comes by name, numbers by their value, or by the last change', () => {
    expect(keysOf({})).toEqual(['f-1', 'z', 'f-10']);
    expect(keysOf({ sort: 'changed' })).toEqual(['f-1', 'z', 'f-10']);
    expect(keysOf({ sort: 'changed', tags: ['a'] })).toEqual(['z', 'f-10']);
  });

  test('has those of a type, and those that have all tags', () => {
    expect(keysOf({ type: 'json' })).toEqual(['z']);
    expect(keysOf({ tags: ['a'] })).toEqual(['z', 'f-10']);
    expect(keysOf({ tags: ['a', 'b'] })).toEqual(['f-10']);
    expect(keysOf({ tags: ['a'], type: 'json', words: 'f-2', state: 'off' })).toEqual(['z']);
  });
});

test('counts found flags of all flags', () => {
  expect([foundText(38, 300), foundText(300, 300), foundText(1, 1), foundText(0, 1), foundText(0, 0)]).toEqual([
    '38 of 300 flags',
    '300 flags',
    '1 flag',
    '0 of 1 flag',
    '0 flags',
  ]);
});

describe('a search in an address', () => {
  test('comes back as it was', () => {
    const searches: Partial<typeof ALL_FLAGS>[] = [
      {},
      { words: 'a & b ? #' },
      { state: 'archived', type: 'json', sort: 'changed' },
      { tags: ['a,b', 'c d'], words: 'x' },
    ];
    for (const search of searches) {
      expect(parseFlagSearch(formatFlagSearch({ ...ALL_FLAGS, ...search }))).toEqual({ ...ALL_FLAGS, ...search });
    }
  });

  test('is not written where all is shown', () => {
    expect(formatFlagSearch(ALL_FLAGS)).toBe('');
    expect(formatFlagSearch({ ...ALL_FLAGS, state: 'on', words: 'x' })).toBe('q=x&state=on');
  });

  test('shows all if it cannot be read', () => {
    for (const query of [undefined, '', 'state=broken&type=x&sort=&unknown=1']) {
      expect(parseFlagSearch(query)).toEqual(ALL_FLAGS);
    }
    expect(parseFlagSearch('tag=a&tag=a').tags).toEqual(['a']);
  });
});
