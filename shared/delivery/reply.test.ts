import { describe, expect, test } from '@jest/globals';
import { compileSnapshot } from '../evaluation/snapshot.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { SECRET_TYPES } from '../protocol/secret.ts';
import { aFlag, aSegment, aUser } from '../testing/builders.ts';
import { replyTo } from './reply.ts';
import type { PatchContents } from './sdk.ts';

const users = { client: { user: aUser('u1') }, server: {} };
const value = 'v'.repeat(1_000);
const snapshot = compileSnapshot({
  envId: 'env',
  version: 6,
  flags: [1, 2, 3, 4, 5, 6].map((version) =>
    aFlag({
      key: `item-${version}`,
      updatedAt: formatTimestamp(version),
      variations: [{ id: 'on', value }],
    }),
  ),
  segments: [],
});

/** A message as `eventType versions`. */
function read(message: string): string {
  const { eventType, featureFlags } = JSON.parse(message).data;
  const versions = featureFlags.map(
    (item: { timestamp?: number; updatedAt?: string }) => item.timestamp ?? Date.parse(item.updatedAt as string),
  );
  return `${eventType} ${versions}`;
}

test('a reply is empty where nothing is newer than the cursor', () => {
  for (const type of SECRET_TYPES) {
    const isEmpty = (timestamp: number) => replyTo(snapshot, type, { timestamp, ...users[type] }).isEmpty;
    expect([0, 5, 6, 7].map(isEmpty)).toEqual([false, false, true, false]);
  }
});

test('a reply is not empty with newer items, or for an environment without items', () => {
  const updatedAt = formatTimestamp(2);
  const both = compileSnapshot({
    envId: 'env',
    version: 2,
    flags: [aFlag({ updatedAt })],
    segments: [aSegment({ updatedAt })],
  });
  const none = compileSnapshot({ envId: 'env', version: 1, flags: [], segments: [] });
  expect(replyTo(both, 'server', { timestamp: 1 }).isEmpty).toBe(false);
  expect(replyTo(none, 'server', { timestamp: 0 }).isEmpty).toBe(false);
});

test('a reply is one message of any size where that is asked for', () => {
  for (const type of SECRET_TYPES) {
    const reply = replyTo(snapshot, type, { timestamp: 3, ...users[type] });
    expect(read(reply.text())).toBe('full 1,2,3,4,5,6');
    expect(reply.parts(Number.POSITIVE_INFINITY)).toEqual([{ text: reply.text() }]);
  }
});

describe('the answer to a cursor if one message cannot hold everything', () => {
  const answer = (type: 'client' | 'server', timestamp: number, limit = 3_500, contents?: PatchContents) =>
    replyTo(snapshot, type, { timestamp, ...users[type] }, contents)
      .parts(limit)
      .map(({ text }) => read(text));

  test('has newer items one by one, as SDKs refuse an older first part of a full', () => {
    expect(answer('server', 3)).toEqual(['patch 4', 'patch 5', 'patch 6']);
    expect(answer('client', 3, 3_000)).toEqual(['patch 4', 'patch 5', 'patch 6']);
  });

  test('has newer items in few patches for an SDK that takes several in one', () => {
    expect(answer('server', 3, 3_500, 'any')).toEqual(['patch 4,5', 'patch 6']);
    expect(answer('server', 0, 3_500, 'one-kind')).toEqual(['full 1,2', 'patch 3,4', 'patch 5,6']);
  });

  test('has everything for an SDK that has nothing, or data of another environment', () => {
    const everything = ['full 1,2', 'patch 3', 'patch 4', 'patch 5', 'patch 6'];
    for (const timestamp of [0, -1, 7]) expect(answer('server', timestamp)).toEqual(everything);
  });

  test('has everything if that fits, and the one newer item if there is one', () => {
    expect(answer('server', 3, 10_000)).toEqual(['full 1,2,3,4,5,6']);
    expect(answer('server', 5)).toEqual(['patch 6']);
    expect(answer('server', 6)).toEqual(['patch ']);
  });
});
