import { describe, expect, test } from '@jest/globals';
import { encodeDocument, type StoredDocument } from '../../../../shared/store/documents/item.ts';
import { type Item, sdkUser } from '../../../support/sdkModel/message.ts';
import { SdkStore } from '../../../support/sdkModel/sdkModel.ts';
import { FLAG_KEYS, markedFlag, SEGMENT_IDS, segmentOf } from './documents.ts';
import { compareWithStore, expectedItems, snapshotOf } from './expected.ts';
import type { Fault } from './faults.ts';

const stamp = (updatedAt: number) => ({ envId: 'e', updatedAt, previous: 0, writtenAt: 0, targetedAt: 0 });
const updatedAt = new Date(5).toISOString();
const stored: StoredDocument[] = [
  encodeDocument(
    { kind: 'segment', document: { ...segmentOf(SEGMENT_IDS[1] as string, ['u1']), updatedAt } },
    stamp(5),
  ),
  encodeDocument({ kind: 'flag', document: { ...markedFlag(FLAG_KEYS[1] as string, 'w1'), updatedAt } }, stamp(5)),
];
const snapshot = snapshotOf('e', stored);
const user = sdkUser('u1', { group: 'green' });

function faultsOf(expected: readonly Item[], held: readonly Item[]): Fault[] {
  const store = new SdkStore();
  store.replace(held);
  const faults: Fault[] = [];
  compareWithStore('reader', expected, store, (fault) => void faults.push(fault));
  return faults;
}

describe('the expected items of a reader at rest', () => {
  test('a flag tells its write, its user’s group and, by the rule that served it, whether the user is in its segment', () => {
    const [member] = expectedItems(snapshot, user);
    expect(member).toMatchObject({ name: 'flag:flag-1', version: 5, mark: 'w1', group: 'green' });
    expect(member?.json).toMatchObject({ matchReason: 'green member' });
    const [stranger] = expectedItems(snapshot, sdkUser('u2', { group: 'red' }));
    expect(stranger?.json).toMatchObject({ variation: 'w1|red', matchReason: 'red' });
  });

  test.each([['server', undefined] as const, ['client', user] as const])(
    '%s: nothing is found where it holds it',
    (_, who) => {
      const items = expectedItems(snapshot, who);
      expect(faultsOf(items, items)).toEqual([]);
    },
  );

  test('every difference is found', () => {
    const expected = expectedItems(snapshot, user);
    const [item] = expected as [Item];
    expect(faultsOf(expected, [])).toEqual(['lost']);
    expect(faultsOf(expected, [{ ...item, version: 4 }])).toEqual(['lost']);
    const [forAnother] = expectedItems(snapshot, sdkUser('u1', { group: 'red' })) as [Item];
    expect(faultsOf(expected, [forAnother])).toEqual(['stale']);
    expect(faultsOf(expected, [item, { ...item, name: 'flag:gone' }])).toEqual(['stale']);
  });
});
