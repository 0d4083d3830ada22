import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileSnapshot, type Snapshot } from '../evaluation/snapshot.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { MESSAGE_LIMIT_BYTES } from '../protocol/message.ts';
import { SECRET_TYPES } from '../protocol/secret.ts';
import { aFlag, aSegment, aUser } from '../testing/builders.ts';
import { runs } from '../testing/runs.ts';
import { formatFor, formatReply, replyItems, serverFormat } from './format.ts';
import { selectNewer, selectSince } from './selection.ts';
import { ItemTooLarge, splitReply } from './split.ts';

interface Item {
  readonly kind: 'flag' | 'segment';
  readonly description: string;
}

/** An environment with these items, in the order of their versions. */
function snapshotOf(items: readonly Item[]): Snapshot {
  const stamped = items.map((item, index) => ({ ...item, id: `item-${index}`, updatedAt: formatTimestamp(index + 1) }));
  return compileSnapshot({
    envId: 'env',
    version: items.length,
    flags: stamped
      .filter(({ kind }) => kind === 'flag')
      .map(({ id: key, updatedAt, description }) =>
        aFlag({ key, updatedAt, description, variations: [{ id: 'on', value: description }] }),
      ),
    segments: stamped
      .filter(({ kind }) => kind === 'segment')
      .map(({ id, updatedAt, description }) => aSegment({ id, updatedAt, description })),
  });
}

/** A message's items in the order in which an SDK sorts them out: by version. */
function read(message: string): { eventType: string; versions: number[] } {
  const { eventType, featureFlags, segments = [] } = JSON.parse(message).data;
  const versions = [...featureFlags, ...segments].map(
    (item: { timestamp?: number; updatedAt?: string }) => item.timestamp ?? Date.parse(item.updatedAt as string),
  );
  return { eventType, versions: versions.toSorted((a, b) => a - b) };
}

const users = { client: aUser('u1'), server: undefined };
const items = fc.array(
  fc.record({
    kind: fc.constantFrom('flag' as const, 'segment' as const),
    description: fc.string({ unit: 'grapheme', maxLength: 200 }),
  }),
  { minLength: 1, maxLength: 12 },
);

describe('a reply in parts', () => {
  test('brings every item once, ascending, in messages within the limit', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1_400, max: 6_000 }), fc.nat(12), (source, limit, cursor) => {
        const snapshot = snapshotOf(source);
        for (const type of SECRET_TYPES) {
          const format = formatFor(type, users[type]);
          const selection = selectSince(snapshot, type, cursor);
          const messages = splitReply(selection, format, limit);
          const parts = messages.map(read);

          for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThanOrEqual(limit);
          expect(parts.flatMap(({ versions }) => versions)).toEqual(
            replyItems(selection, format).map(({ updatedAt }) => updatedAt),
          );
          expect(parts[0]?.eventType).toBe(selection.eventType);
          for (const { eventType, versions } of parts.slice(1)) {
            expect(eventType).toBe('patch');
            expect(versions.length).toBeGreaterThan(0);
            if (type === 'server') expect(versions).toHaveLength(1);
          }
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('fills the first message before it begins another', () => {
    const snapshot = snapshotOf(Array.from({ length: 6 }, () => ({ kind: 'flag', description: 'd'.repeat(500) })));
    const selection = selectSince(snapshot, 'server', 0);
    const whole = formatReply(selection, serverFormat);
    const parts = splitReply(selection, serverFormat, Buffer.byteLength(whole) - 1).map(read);
    expect(parts.map(({ versions }) => versions)).toEqual([[1, 2, 3, 4, 5], [6]]);
    expect(splitReply(selection, serverFormat, Buffer.byteLength(whole))).toEqual([whole]);
  });

  test('fills each message to the last byte of the limit, and not beyond', () => {
    const law = fc.property(items, fc.constantFrom('full', 'patch'), fc.nat(12), (source, eventType, count) => {
      const snapshot = snapshotOf(source.map((item) => ({ ...item, kind: 'flag' })));
      const format = formatFor('client', aUser('u1'));
      const selection = { ...selectSince(snapshot, 'client', 0), eventType };
      const all = replyItems(selection, format);
      fc.pre(count > 0 && count < all.length);
      const limit = Buffer.byteLength(format.wrap(eventType, all.slice(0, count)));
      fc.pre(all.every((item) => Buffer.byteLength(format.wrap('patch', [item])) < limit));
      const sizeOf = (limitBytes: number) =>
        read(splitReply(selection, format, limitBytes)[0] as string).versions.length;
      expect([sizeOf(limit - 1), sizeOf(limit)]).toEqual([count - 1, count]);
    });
    fc.assert(law, { numRuns: runs(300) });
  });

  test('gives a client as many flags a message as fit: its SDKs take several', () => {
    const snapshot = snapshotOf(Array.from({ length: 9 }, () => ({ kind: 'flag', description: 'd'.repeat(400) })));
    const messages = splitReply(selectSince(snapshot, 'client', 0), formatFor('client', aUser('u1')), 4_000);
    expect(messages.map(read).map(({ versions }) => versions.length)).toEqual([3, 3, 3]);
  });

  test('gives a server one item a patch, whatever would fit: Go and Java SDKs lose some of several', () => {
    const snapshot = snapshotOf(Array.from({ length: 3 }, () => ({ kind: 'flag', description: '' })));
    const patches = splitReply(selectNewer(snapshot, 'server', 1), serverFormat, MESSAGE_LIMIT_BYTES).map(read);
    expect(patches).toEqual([2, 3].map((version) => ({ eventType: 'patch', versions: [version] })));
  });

  test('is one message of up to 128 KB on API Gateway', () => {
    const ofFlags = (count: number) =>
      splitReply(
        selectSince(snapshotOf(Array.from({ length: count }, () => ({ kind: 'flag', description: '' }))), 'server', 0),
        serverFormat,
        MESSAGE_LIMIT_BYTES,
      );
    expect(MESSAGE_LIMIT_BYTES).toBe(131_072);
    expect(ofFlags(100)).toHaveLength(1);
    expect(ofFlags(300).length).toBeGreaterThan(1);
    expect(ofFlags(0)).toHaveLength(1);
  });
});

describe('an item that no message can carry', () => {
  const big = snapshotOf([
    { kind: 'flag', description: '' },
    { kind: 'segment', description: 'é'.repeat(1_000) },
    { kind: 'flag', description: '' },
  ]);
  const selection = selectSince(big, 'server', 0);
  const [, segment] = replyItems(selection, serverFormat);
  if (!segment) throw new Error('there is no segment');
  const bytes = Buffer.byteLength(serverFormat.wrap('patch', [segment]));

  test('may fill a message to the last byte', () => {
    expect(splitReply(selection, serverFormat, bytes)).toHaveLength(3);
  });

  test('is refused by name, with its size, the limit and the way out', () => {
    const refused = () => splitReply(selection, serverFormat, bytes - 1);
    expect(refused).toThrow(ItemTooLarge);
    expect(refused).toThrow(
      `segment "item-1" takes ${bytes} bytes in a message, more than the ${bytes - 1} bytes that one WebSocket message can carry`,
    );
    expect(refused).toThrow(
      'Make it smaller (move users from it into segments, or split the segment), or let this SDK',
    );
  });

  test('is known to whoever catches it', () => {
    try {
      splitReply(selection, serverFormat, bytes - 1);
    } catch (error) {
      expect((error as ItemTooLarge).item).toMatchObject({ kind: 'segment', id: 'item-1', updatedAt: 2 });
      expect(error).toHaveProperty('name', 'ItemTooLarge');
    }
    expect.assertions(2);
  });
});
