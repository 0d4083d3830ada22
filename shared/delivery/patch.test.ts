import { expect, test } from '@jest/globals';
import { compileSnapshot } from '../evaluation/snapshot.ts';
import type { Variation } from '../flags/flag.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { aFlag, aSegment, aUser } from '../testing/builders.ts';
import { type MessageLimit, patchesSince, patchFor } from './patch.ts';

const at = (updatedAt: number) => ({ updatedAt: formatTimestamp(updatedAt) });
const snapshot = compileSnapshot({
  envId: 'env',
  version: 4,
  flags: [
    aFlag({ key: 'a', ...at(1) }),
    aFlag({ key: 'b', targetUsers: [{ keyIds: ['é'.repeat(900)], variationId: 'on' }], ...at(4) }),
  ],
  segments: [aSegment({ id: 's', ...at(3) })],
});
const [flag] = snapshot.flags;
const [segment] = snapshot.segments;
if (!flag || !segment) throw new Error('the snapshot is empty');
/** The first flag fits only without the fields that no SDK reads. */
const LEAN_ONLY = Buffer.byteLength(patchFor(flag, { type: 'server' }) as string) - 1;
const client = { type: 'client', user: aUser('u1') } as const;
const server = { type: 'server' } as const;
const idsIn = (messages: readonly string[]) =>
  messages.map((message) => {
    const { eventType, featureFlags, segments = [] } = JSON.parse(message).data;
    return [eventType, ...[...featureFlags, ...segments].map((item) => item.key ?? item.id)].join(' ');
  });

test('a changed item is a patch of its own; a segment is none of a client’s business', () => {
  expect(idsIn([patchFor(flag, client), patchFor(segment, server)] as string[])).toEqual(['patch a', 'patch s']);
  expect(patchFor(segment, client)).toBeUndefined();
});

test('a changed flag with a key of all JavaScript objects is a patch for clients only', () => {
  const flags = [aFlag({ key: 'constructor' })];
  const [unsent] = compileSnapshot({ envId: 'env', version: 1, flags, segments: [] }).flags;
  if (!unsent) throw new Error('the snapshot is empty');
  expect([patchFor(unsent, server), idsIn([patchFor(unsent, client) as string])]).toEqual([
    undefined,
    ['patch constructor'],
  ]);
});

test('sends a changed item without fields that no SDK reads if it exceeds the limit', () => {
  const limit: MessageLimit = {
    bytes: LEAN_ONLY,
    onTooLarge: ({ id }) => {
      throw new Error(id);
    },
  };
  const [whole, lean] = [patchFor(flag, server), patchFor(flag, server, limit)].map((text) => JSON.parse(text ?? ''));
  const { envId, description, tags, variations, ...read } = whole.data.featureFlags[0];
  expect(lean.data).toEqual({
    ...whole.data,
    featureFlags: [{ ...read, variations: variations.map(({ id, value }: Variation) => ({ id, value })) }],
  });
});

test('sends a changed item up to the last byte of the limit, and none beyond', () => {
  const reported: unknown[] = [];
  const limit = (bytes: number): MessageLimit => ({
    bytes,
    onTooLarge: ({ id }, size) => reported.push([id, size, bytes]),
  });
  const lean = patchFor(flag, server, limit(LEAN_ONLY)) as string;
  expect(patchFor(flag, server, limit(Buffer.byteLength(lean)))).toBe(lean);
  expect(patchFor(flag, server, limit(Buffer.byteLength(lean) - 1))).toBeUndefined();
  const forClient = patchFor(flag, client) as string;
  const bytes = Buffer.byteLength(forClient);
  expect([patchFor(flag, client, limit(bytes)), reported]).toEqual([forClient, []]);
  expect(patchFor(flag, client, limit(bytes - 1))).toBeUndefined();
  expect(reported).toEqual([['a', bytes, bytes - 1]]);
});

test('sends newer items one by one, ascending, without those that are too large', () => {
  const limit: MessageLimit = { bytes: 1_500, onTooLarge: () => {} };
  expect(idsIn(patchesSince(snapshot, server, 0, limit))).toEqual(['patch a', 'patch s']);
  expect(idsIn(patchesSince(snapshot, client, 1, limit))).toEqual(['patch b']);
  expect(patchesSince(snapshot, server, 4, limit)).toEqual([]);
});
