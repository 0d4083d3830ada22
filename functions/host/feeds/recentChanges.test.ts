import { describe, expect, test } from '@jest/globals';
import type { Push } from '../../../shared/delivery/pushes.ts';
import { RecentChanges } from './recentChanges.ts';

const push = (updatedAt: number, bytes = 1) =>
  ({ updatedAt, writtenAt: updatedAt, source: { json: 'x'.repeat(bytes) } }) as unknown as Push;
const versions = (recent: RecentChanges, after: number) =>
  recent.after(after).map(({ push: { updatedAt } }) => updatedAt);

describe('recent changes', () => {
  test('are those after a version, in order', () => {
    const recent = new RecentChanges();
    recent.add([push(1), push(2)]);
    recent.add([push(5)]);
    expect([0, 1, 2, 4, 5].map((after) => versions(recent, after))).toEqual([[1, 2, 5], [2, 5], [5], [5], []]);
    recent.forgetOldest();
    expect([recent.completeFrom, versions(recent, 0)]).toEqual([0, [1, 2, 5]]);
  });

  test('are a thousand at most: of those before it is known where they end', () => {
    const recent = new RecentChanges();
    recent.add(Array.from({ length: 1_002 }, (_, n) => push(n + 1)));
    recent.forgetOldest();
    expect([recent.completeFrom, versions(recent, 0).length, versions(recent, 1_000)]).toEqual([
      2,
      1_000,
      [1_001, 1_002],
    ]);
    recent.forgetOldest();
    expect(recent.completeFrom).toBe(2);
  });

  test('are 8 MB at most, however few that are', () => {
    const recent = new RecentChanges();
    recent.add([1, 2, 3].map((version) => push(version, 4 * 1024 * 1024)));
    recent.forgetOldest();
    expect([recent.completeFrom, versions(recent, 0)]).toEqual([1, [2, 3]]);
    recent.add([push(4, 9 * 1024 * 1024)]);
    recent.forgetOldest();
    expect([recent.completeFrom, versions(recent, 0)]).toEqual([4, []]);
    recent.add([push(5)]);
    recent.forgetOldest();
    expect([recent.completeFrom, versions(recent, 4)]).toEqual([4, [5]]);
  });
});
