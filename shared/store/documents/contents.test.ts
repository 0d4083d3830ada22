import { describe, expect, test } from '@jest/globals';
import type { Document } from '../../flags/document.ts';
import { aFlag, aSegment } from '../../testing/builders.ts';
import { contentsAfter, newlyUnreadable } from './contents.ts';
import { encodeDocument, type StoredDocument } from './item.ts';

const stored = (document: Document, updatedAt: number): StoredDocument =>
  encodeDocument(document, { envId: 'env', updatedAt, previous: updatedAt - 1, writtenAt: updatedAt, targetedAt: 0 });
const flag = (key: string, updatedAt: number, name = '') =>
  stored({ kind: 'flag', document: aFlag({ key, name }) }, updatedAt);
const segment = (id: string, updatedAt: number) => stored({ kind: 'segment', document: aSegment({ id }) }, updatedAt);
const broken = (key: string, updatedAt: number): StoredDocument => ({ ...flag(key, updatedAt), body: { text: '{' } });

describe('the content of an environment', () => {
  test('is the last of each document; a flag and a segment may share a name', () => {
    const before = contentsAfter([flag('a', 1, 'old'), flag('b', 2), segment('a', 3)]);
    const after = contentsAfter([flag('a', 4, 'new'), segment('c', 5)], before);
    expect([...after.flags.values()].map(({ key, name }) => key + name)).toEqual(['anew', 'b']);
    expect([...after.segments.keys()]).toEqual(['a', 'c']);
    expect([...before.flags.values()].map(({ name }) => name)).toEqual(['old', '']);
  });

  test('has sizes, compressed or not', () => {
    const { sizes } = contentsAfter([flag('small', 1), flag('large', 2, 'x'.repeat(50_000))]);
    const bytes = (key: string, name = '') => JSON.stringify(aFlag({ key, name })).length;
    expect([...sizes]).toEqual([
      ['flag#small', bytes('small')],
      ['flag#large', bytes('large', 'x'.repeat(50_000))],
    ]);
  });
});

describe('a document that cannot be read', () => {
  test('is named once for each of its versions, and no longer when it is mended', () => {
    const first = contentsAfter([broken('a', 1)]);
    expect(newlyUnreadable(first)).toMatchObject([{ kind: 'flag', id: 'a', path: '' }]);
    const same = contentsAfter([flag('b', 2)], first);
    expect(newlyUnreadable(same, first)).toEqual([]);
    const changed = contentsAfter([broken('a', 3)], same);
    expect(newlyUnreadable(changed, same)).toHaveLength(1);
    const mended = contentsAfter([flag('a', 4)], changed);
    expect([mended.unreadable.size, mended.flags.has('a')]).toEqual([0, true]);
  });

  test('is no longer what it was before', () => {
    const { flags, unreadable } = contentsAfter([broken('a', 2)], contentsAfter([flag('a', 1)]));
    expect([flags.size, unreadable.size]).toEqual([0, 1]);
  });

  test('may have lost its end', () => {
    const cut: StoredDocument = { ...flag('a', 1), body: { gzip: new Uint8Array(2) } };
    expect(contentsAfter([cut])).toMatchObject({ sizes: new Map([['flag#a', 0]]) });
  });
});
