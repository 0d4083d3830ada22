import { describe, expect, test } from '@jest/globals';
import { type Document, documentId } from '../../flags/document.ts';
import type { Flag } from '../../flags/flag.ts';
import { IN_SEGMENT, NOT_IN_SEGMENT } from '../../flags/rule.ts';
import type { Segment } from '../../flags/segment.ts';
import { formatTimestamp } from '../../flags/timestamp.ts';
import { aCondition, aFlag, aRule, aSegment } from '../../testing/builders.ts';
import { encodeDocument, type StoredDocument } from './item.ts';
import { type DocumentWrite, planWrites, type WriteSet } from './writeSet.ts';

const flag = (key: string, fields: Partial<Flag> = {}): Document => ({
  kind: 'flag',
  document: aFlag({ key, ...fields }),
});
const segment = (id: string, fields: Partial<Segment> = {}): Document => ({
  kind: 'segment',
  document: aSegment({ id, ...fields }),
});
const referringTo = (...ids: string[]): Partial<Flag> => ({
  rules: [aRule([aCondition(IN_SEGMENT, '', JSON.stringify(ids))])],
});
const at = (updatedAt: number) => ({ updatedAt: formatTimestamp(updatedAt) });

function stored(source: Document, updatedAt: number, targetedAt = 0): StoredDocument {
  return encodeDocument(source, { envId: 'env', updatedAt, previous: 0, writtenAt: 0, targetedAt });
}

function allOf({ documents, owed = [] }: WriteSet): DocumentWrite[] {
  return [...documents, ...owed];
}

function names(set: WriteSet): string[] {
  return allOf(set).map((write) => documentId(write));
}

describe('documents that differ from what is stored', () => {
  test('are written, and no others', () => {
    const there = [stored(flag('same'), 1), stored(flag('other'), 2), stored(segment('kept'), 3)];
    const wanted = [flag('same', at(9)), flag('other', { name: 'changed' }), flag('new'), segment('kept')];
    const set = planWrites(there, wanted, 3);
    expect(names(set).toSorted()).toEqual(['new', 'other']);
    expect(Object.fromEntries(set.documents.map((write) => [documentId(write), write.replaces]))).toEqual({
      new: 0,
      other: 2,
    });
  });

  test('are not those that only say another environment or time', () => {
    const there = [stored(flag('same', { envId: 'a', ...at(1) }), 1)];
    expect(names(planWrites(there, [flag('same', { envId: 'b', ...at(8) })], 1))).toEqual([]);
  });

  test('include one that cannot be read any more', () => {
    const broken: StoredDocument = { ...stored(flag('broken'), 4), body: { text: '{' } };
    expect(planWrites([broken], [flag('broken')], 4).documents).toMatchObject([{ replaces: 4 }]);
  });

  test('come segments first, each kind in the order of its times, with the present time', () => {
    const wanted = [flag('b', at(2)), segment('d', at(4)), flag('a', at(1)), segment('c', at(3))];
    const set = planWrites([stored(flag('x'), 50)], wanted, 50);
    expect(names(set)).toEqual(['c', 'd', 'a', 'b']);
    expect(set.keepTimestamps).toBe(false);
  });

  test('keep their times and their order where all are newer than the environment', () => {
    const wanted = [flag('b', at(20)), segment('d', at(40)), flag('a', at(10)), segment('c', at(30))];
    const set = planWrites([], wanted, 0);
    expect(names(set)).toEqual(['a', 'b', 'c', 'd']);
    expect(set.keepTimestamps).toBe(true);
    expect(planWrites([stored(flag('x'), 10)], wanted, 10).keepTimestamps).toBe(false);
  });

  test('never have a flag before its segment, as a transaction may end between them', () => {
    const wanted = [
      flag('early', { ...at(10), ...referringTo('late') }),
      flag('other', at(15)),
      segment('late', at(20)),
      flag('after', { ...at(30), ...referringTo('late') }),
    ];
    expect(names(planWrites([], wanted, 0))).toEqual(['other', 'late', 'early', 'after']);
  });
});

describe('a segment whose members change', () => {
  const users = { included: ['u1'] };
  const there = [
    stored(flag('refers', referringTo('s')), 12),
    stored(flag('refers-not', referringTo('other')), 11),
    stored(
      flag('refers-negatively', { rules: [aRule([aCondition(NOT_IN_SEGMENT, '', '["x","s"]')])], isArchived: true }),
      10,
    ),
    stored(segment('s'), 5),
  ];

  test('is followed by the flags that refer to it, ascending, archived ones included', () => {
    const set = planWrites(there, [segment('s', users)], 12);
    expect(names(set)).toEqual(['s', 'refers-negatively', 'refers']);
    expect(allOf(set)).toMatchObject([{ targetedAt: 'changed', replaces: 5 }, { replaces: 10 }, { replaces: 12 }]);
  });

  test.each([
    ['its name', { name: 'new' }],
    ['its description', { description: 'new' }],
    ['being archived', { isArchived: true }],
  ])('is not one where only %s changes', (_, fields) => {
    const set = planWrites(there, [segment('s', fields)], 12);
    expect(names(set)).toEqual(['s']);
    expect(set.documents).toMatchObject([{ targetedAt: 0 }]);
  });

  test('brings each flag once, also where the flag changes itself', () => {
    const set = planWrites(there, [flag('refers', { ...referringTo('s'), name: 'new' }), segment('s', users)], 12);
    expect(names(set)).toEqual(['s', 'refers', 'refers-negatively']);
  });

  test('may be one that flags waited for', () => {
    const without = there.filter(({ kind }) => kind === 'flag');
    expect(names(planWrites(without, [segment('s')], 12))).toEqual(['s', 'refers-negatively', 'refers']);
  });

  test('leaves no flag to follow in a fresh environment', () => {
    const set = planWrites([], [segment('s', { ...users, ...at(5) }), flag('f', { ...referringTo('s'), ...at(9) })], 0);
    expect(names(set)).toEqual(['s', 'f']);
    expect(set.documents).toMatchObject([{ targetedAt: 0 }, {}]);
  });
});

describe('a new version that a flag is still owed from an interrupted write', () => {
  const owed = stored(flag('owed', referringTo('s')), 8);
  const paid = stored(flag('paid', referringTo('s')), 21);
  const changedSegment = stored(segment('s'), 20, 20);

  test('is paid by the next write of the environment', () => {
    const set = planWrites([owed, paid, changedSegment], [segment('s')], 21);
    expect(names(set)).toEqual(['owed']);
    expect(set).toMatchObject({ documents: [], owed: [{ replaces: 8 }] });
  });

  test('is carried on by writes of the segment that do not change its members', () => {
    const set = planWrites([paid, changedSegment], [segment('s', { name: 'new' })], 21);
    expect(set.documents).toMatchObject([{ targetedAt: 20 }]);
  });

  test('does not trip over a flag that cannot be read', () => {
    const broken: StoredDocument = { ...owed, id: 'broken', body: { text: '' } };
    expect(names(planWrites([broken, owed, changedSegment], [], 21))).toEqual(['owed']);
  });
});
