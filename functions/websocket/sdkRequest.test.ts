import { expect, test } from '@jest/globals';
import { compileSnapshot } from '../../shared/evaluation/snapshot.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import type { Reading } from '../../shared/store/snapshots/snapshotCache.ts';
import { aCondition, aFlag, aRule } from '../../shared/testing/builders.ts';
import type { Caller } from './event.ts';
import { sdkRequest } from './sdkRequest.ts';

test('a reply claims nothing above the version up to which its reading is complete', () => {
  // Each fills more than half of a message.
  const rules = [aRule([aCondition('k', 'Equal', 'x'.repeat(70_000))])];
  const flags = [1, 2, 3].map((n) => aFlag({ key: `f${n}`, rules, updatedAt: formatTimestamp(1_000 + n) }));
  const snapshot = compileSnapshot({ envId: 'env', version: 1_001, flags, segments: [] });
  const reading = { snapshot, version: { updatedAt: 1_001 } } as unknown as Reading;
  const registration = { id: 'c', type: 'server' as const, requestedAt: 0 };
  const caller = { registration, envIds: ['env'], context: {} } as unknown as Caller;
  const parts = sdkRequest(caller, { timestamp: 0 }).replyMessages([reading], registration, 0);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.map(({ sentTo }) => sentTo)).toEqual(parts.map(() => 1_001));
});
