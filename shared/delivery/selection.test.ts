import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileSnapshot, type Snapshot } from '../evaluation/snapshot.ts';
import { asDeleted } from '../flags/deletion.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { SECRET_TYPES, type SecretType } from '../protocol/secret.ts';
import { aFlag, aSegment } from '../testing/builders.ts';
import { type Selection, selectSince } from './selection.ts';

/** An environment whose items have these versions. */
function snapshotOf(flags: readonly number[], segments: readonly number[]): Snapshot {
  return compileSnapshot({
    envId: 'env',
    version: Math.max(0, ...flags, ...segments),
    flags: flags.map((at) => aFlag({ key: `flag-${at}`, updatedAt: formatTimestamp(at), isArchived: at % 5 === 0 })),
    segments: segments.map((at) => aSegment({ id: `segment-${at}`, updatedAt: formatTimestamp(at) })),
  });
}

function versionsOf({ eventType, flags, segments }: Selection) {
  return { eventType, flags: flags.map((item) => item.updatedAt), segments: segments.map((item) => item.updatedAt) };
}

test.each(Object.getOwnPropertyNames(Object.prototype))(
  'a flag with the key %s is selected for clients only',
  (key) => {
    const flags = [
      aFlag({ key, updatedAt: formatTimestamp(10) }),
      aFlag({ key: 'f', updatedAt: formatTimestamp(20) }),
      asDeleted(aFlag({ key, updatedAt: formatTimestamp(30) })),
    ];
    const snapshot = compileSnapshot({ envId: 'env', version: 30, flags, segments: [] });
    const selected = (...args: [SecretType, number]) => versionsOf(selectSince(snapshot, ...args));
    expect(selected('server', 0)).toEqual({ eventType: 'full', flags: [20], segments: [] });
    expect(selected('server', 10)).toEqual({ eventType: 'patch', flags: [20], segments: [] });
    expect(selected('server', 20)).toEqual({ eventType: 'patch', flags: [], segments: [] });
    expect(selected('client', 0).flags).toEqual([10, 20, 30]);
  },
);

describe('a cursor', () => {
  const snapshot = snapshotOf([10, 30], [20]);
  const everything = { eventType: 'full', flags: [10, 30], segments: [20] };

  test.each([
    ['none', 0, everything],
    ['one before everything', 5, everything],
    ['a negative one', -1, everything],
    ['one before two items', 10, everything],
    ['one before the last item', 20, { eventType: 'patch', flags: [30], segments: [] }],
    ['the last item', 30, { eventType: 'patch', flags: [], segments: [] }],
    ['the future', 31, everything],
  ])('selects for a server: %s', (_, timestamp, expected) => {
    expect(versionsOf(selectSince(snapshot, 'server', timestamp))).toEqual(expected);
  });

  test('selects a segment alone for a server that missed only that', () => {
    expect(versionsOf(selectSince(snapshotOf([10], [20]), 'server', 10))).toEqual({
      eventType: 'patch',
      flags: [],
      segments: [20],
    });
  });

  test('counts only flags for a client, also if a segment is the newest item', () => {
    const { flags } = everything;
    expect(versionsOf(selectSince(snapshot, 'client', 10))).toEqual({ eventType: 'patch', flags: [30], segments: [] });
    expect(versionsOf(selectSince(snapshot, 'client', 0))).toEqual({ eventType: 'full', flags, segments: [] });
    expect(versionsOf(selectSince(snapshotOf([10], [20]), 'client', 10))).toEqual({
      eventType: 'patch',
      flags: [],
      segments: [],
    });
    expect(selectSince(snapshotOf([10], [20]), 'client', 20).eventType).toBe('patch');
    expect(selectSince(snapshotOf([10], [20]), 'client', 21).eventType).toBe('full');
  });

  test('into an empty environment gets an empty answer', () => {
    for (const type of SECRET_TYPES) {
      expect(versionsOf(selectSince(snapshotOf([], []), type, 0))).toEqual({
        eventType: 'full',
        flags: [],
        segments: [],
      });
      expect(selectSince(snapshotOf([], []), type, 7).eventType).toBe('full');
    }
  });

  test('brings an SDK to where the environment stands, whatever both are', () => {
    const versions = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 12 });
    fc.assert(
      fc.property(versions, fc.nat(12), fc.integer({ min: -3, max: 65 }), (all, cut, cursor) => {
        const snapshot = snapshotOf(all.slice(0, cut), all.slice(cut));
        for (const type of SECRET_TYPES) {
          const selection = selectSince(snapshot, type, cursor);
          const mine = [...snapshot.flags, ...(type === 'server' ? snapshot.segments : [])].map(
            (item) => item.updatedAt,
          );
          const newer = mine.filter((at) => at > cursor);
          const got = [...selection.flags, ...selection.segments].map((item) => item.updatedAt);
          if (cursor === 0 || cursor > snapshot.version || newer.length > 1) {
            expect(selection.eventType).toBe('full');
            expect(new Set(got)).toEqual(new Set(mine));
          } else {
            expect(selection.eventType).toBe('patch');
            expect(got).toEqual(newer);
          }
          expect(got).toHaveLength(new Set(got).size);
          for (const list of [selection.flags, selection.segments]) {
            const order = list.map((item) => item.updatedAt);
            expect(order).toEqual(order.toSorted((a, b) => a - b));
          }
        }
      }),
    );
  });
});
