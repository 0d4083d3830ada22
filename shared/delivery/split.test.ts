import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileSnapshot, type Snapshot } from '../evaluation/snapshot.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { MESSAGE_LIMIT_BYTES } from '../protocol/message.ts';
import { SECRET_TYPES } from '../protocol/secret.ts';
import { aFlag, aSegment, aUser } from '../testing/builders.ts';
import { runs } from '../testing/runs.ts';
import { clientFormat, formatFor, formatReply, type ReplyFormat, replyItems, serverFormat } from './format.ts';
import type { PatchContents } from './sdk.ts';
import { type Selection, selectNewer, selectSince } from './selection.ts';
import { splitReply } from './split.ts';

/** The texts of a reply's parts. */
const split = (...reply: Parameters<typeof splitReply>) => splitReply(...reply).map(({ text }) => text);

interface Item {
  readonly kind: 'flag' | 'segment';
  /** A text that SDKs read. Fields that they do not read have the same size. */
  readonly text: string;
}

/** An environment with these items, ordered by version. */
function snapshotOf(items: readonly Item[]): Snapshot {
  const stamped = items.map((item, index) => ({ ...item, id: `item-${index}`, updatedAt: formatTimestamp(index + 1) }));
  return compileSnapshot({
    envId: 'env',
    version: items.length,
    flags: stamped
      .filter(({ kind }) => kind === 'flag')
      .map(({ id: key, updatedAt, text }) =>
        aFlag({ key, updatedAt, description: text, variations: [{ id: 'on', value: text }] }),
      ),
    segments: stamped
      .filter(({ kind }) => kind === 'segment')
      .map(({ id, updatedAt, text }) => aSegment({ id, updatedAt, description: text, included: [text] })),
  });
}

/** A message's items in the order in which an SDK applies them: by version. */
function read(message: string): { eventType: string; versions: number[]; kinds: number } {
  const { eventType, featureFlags, segments = [] } = JSON.parse(message).data;
  const versions = [...featureFlags, ...segments].map(
    (item: { timestamp?: number; updatedAt?: string }) => item.timestamp ?? Date.parse(item.updatedAt as string),
  );
  const kinds = [featureFlags, segments].filter(({ length }) => length > 0).length;
  return { eventType, versions: versions.toSorted((a, b) => a - b), kinds };
}

/** Messages as `eventType versions`. */
function outline(messages: readonly string[]): string[] {
  return messages.map(read).map(({ eventType, versions }) => `${eventType} ${versions}`);
}

const strict = serverFormat('one-item');
const lean = strict.lean as ReplyFormat;

/** The size of a message with the first items, including commas. */
function bytesOfFirst(count: number, selection: Selection): number {
  return Buffer.byteLength(lean.wrap('patch', replyItems(selection, lean).slice(0, count))) + count;
}

const users = { client: aUser('u1'), server: undefined };
const items = fc.array(
  fc.record({
    kind: fc.constantFrom('flag' as const, 'segment' as const),
    text: fc.string({ unit: 'grapheme', maxLength: 200 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const patchContents = fc.constantFrom<PatchContents[]>('any', 'one-kind', 'one-item');

describe('a reply in parts', () => {
  test('brings every item once, ascending, in messages within the limit', () => {
    fc.assert(
      fc.property(
        items,
        fc.integer({ min: 1_400, max: 6_000 }),
        fc.nat(12),
        patchContents,
        (source, limit, cursor, contents) => {
          const snapshot = snapshotOf(source);
          for (const type of SECRET_TYPES) {
            const format = formatFor(type, users[type], contents);
            const selection = selectSince(snapshot, type, cursor);
            const messages = split(selection, format, limit);
            const parts = messages.map(read);

            for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThanOrEqual(limit);
            expect(parts.flatMap(({ versions }) => versions)).toEqual(
              replyItems(selection, format).map(({ updatedAt }) => updatedAt),
            );
            expect(parts[0]?.eventType).toBe(selection.eventType);
            for (const { eventType, versions, kinds } of parts) {
              if (parts.length > 1) expect(versions.length).toBeGreaterThan(0);
              if (eventType === 'full') continue;
              if (type === 'server' && contents === 'one-item') expect(versions.length).toBeLessThanOrEqual(1);
              if (contents === 'one-kind') expect(kinds).toBeLessThanOrEqual(1);
            }
            expect(parts.slice(1).map(({ eventType }) => eventType)).toEqual(parts.slice(1).map(() => 'patch'));
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test('fills the first message before it begins another', () => {
    const snapshot = snapshotOf(Array.from({ length: 6 }, () => ({ kind: 'flag', text: 'd'.repeat(500) })));
    const selection = selectSince(snapshot, 'server', 0);
    const whole = formatReply(selection, lean);
    expect(outline(split(selection, strict, Buffer.byteLength(whole) - 1))).toEqual(['full 1,2,3,4,5', 'patch 6']);
    expect(split(selection, strict, Buffer.byteLength(whole))).toEqual([whole]);
  });

  test('drops fields that no SDK reads before it splits, and nothing from one message', () => {
    const snapshot = snapshotOf([{ kind: 'flag', text: 'x' }]);
    const selection = selectSince(snapshot, 'server', 0);
    const whole = formatReply(selection, strict);
    expect(split(selection, strict, Buffer.byteLength(whole))).toEqual([whole]);
    const [shorter = ''] = split(selection, strict, Buffer.byteLength(whole) - 1);
    expect(shorter).toBe(formatReply(selection, lean));
    expect(JSON.parse(whole).data.featureFlags[0]).toHaveProperty('description', 'x');
    expect(JSON.parse(shorter).data.featureFlags[0]).not.toHaveProperty('description');
  });

  test('is as few messages as may be for an SDK that takes any patch, and fills each', () => {
    const source = Array.from({ length: 9 }, (_, n) => ({ kind: n % 2 ? 'segment' : 'flag', text: '' }) as const);
    const selection = selectSince(snapshotOf(source), 'server', 0);
    const limit = bytesOfFirst(4, selection);
    expect(outline(split(selection, serverFormat('any'), limit))).toEqual(['full 1,2,3,4', 'patch 5,6,7,8', 'patch 9']);
  });

  test('separates flags and segments, except in the first message, for some SDKs', () => {
    const kinds = ['flag', 'segment', 'flag', 'flag', 'segment', 'segment', 'flag'] as const;
    const snapshot = snapshotOf(kinds.map((kind) => ({ kind, text: '' })));
    const selection = selectSince(snapshot, 'server', 0);
    const apart = serverFormat('one-kind');
    const limit = bytesOfFirst(2, selection);
    const parts = ['full 1,2', 'patch 3', 'patch 4', 'patch 5,6', 'patch 7'];
    expect(outline(split(selection, apart, limit))).toEqual(parts);
    const newer = selectNewer(snapshot, 'server', 2);
    expect(outline(split(newer, apart, MESSAGE_LIMIT_BYTES))).toEqual(['patch 3,4', 'patch 5,6', 'patch 7']);
    expect(outline(split(newer, serverFormat('any'), MESSAGE_LIMIT_BYTES))).toEqual(['patch 3,4,5,6,7']);
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
      const sizeOf = (limitBytes: number) => read(split(selection, format, limitBytes)[0] as string).versions.length;
      expect([sizeOf(limit - 1), sizeOf(limit)]).toEqual([count - 1, count]);
    });
    fc.assert(law, { numRuns: runs(300) });
  });

  test('gives a client as many flags a message as fit: its SDKs take several', () => {
    const snapshot = snapshotOf(Array.from({ length: 9 }, () => ({ kind: 'flag', text: 'd'.repeat(400) })));
    const messages = split(selectSince(snapshot, 'client', 0), formatFor('client', aUser('u1')), 4_000);
    expect(messages.map(read).map(({ versions }) => versions.length)).toEqual([3, 3, 3]);
  });

  test('gives a server one item a patch, as SDKs for Go and Java lose some of several', () => {
    const snapshot = snapshotOf(Array.from({ length: 3 }, () => ({ kind: 'flag', text: '' })));
    const patches = split(selectNewer(snapshot, 'server', 1), strict, MESSAGE_LIMIT_BYTES);
    expect(outline(patches)).toEqual(['patch 2', 'patch 3']);
  });

  test('is one message of up to 128 KB on API Gateway', () => {
    const ofFlags = (count: number) =>
      split(
        selectSince(snapshotOf(Array.from({ length: count }, () => ({ kind: 'flag', text: '' }))), 'server', 0),
        strict,
        MESSAGE_LIMIT_BYTES,
      );
    expect(MESSAGE_LIMIT_BYTES).toBe(131_072);
    expect(ofFlags(100)).toHaveLength(1);
    expect(ofFlags(500).length).toBeGreaterThan(1);
    expect(ofFlags(0)).toHaveLength(1);
  });
});

describe('an item that no message can carry', () => {
  const big = snapshotOf([
    { kind: 'flag', text: '' },
    { kind: 'segment', text: 'é'.repeat(1_000) },
    { kind: 'flag', text: '' },
  ]);
  const selection = selectSince(big, 'server', 0);
  const [, segment] = replyItems(selection, lean);
  if (!segment) throw new Error('there is no segment');
  const bytes = Buffer.byteLength(strict.wrap('patch', [segment]));

  test('may fill a message to the last byte', () => {
    expect(split(selection, strict, bytes)).toHaveLength(3);
  });

  test('is left out for a server, which gets all others', () => {
    const fitting = selectSince(big, 'server', 0, bytes - 1);
    expect(fitting.segments).toEqual([]);
    expect(fitting.flags).toHaveLength(2);
    expect(selectSince(big, 'server', 0, bytes).segments).toHaveLength(1);
  });

  test('is left out for a client, which gets all others, and is reported with its size', () => {
    const format = clientFormat(aUser('u1'));
    const whole = selectSince(big, 'client', 0);
    const [first] = replyItems(whole, format);
    if (!first) throw new Error('there is no flag');
    const size = Buffer.byteLength(format.wrap('patch', [first]));
    const reported: unknown[] = [];
    const parts = splitReply(whole, format, size - 1, ({ id }, found) => reported.push([id, found]));
    expect(parts.map(({ text }) => JSON.parse(text).data.featureFlags)).toEqual([[]]);
    expect(reported).toEqual([
      ['item-0', size],
      ['item-2', size],
    ]);
  });
});

test('says in each part up to which version it is complete, to ask for the rest', () => {
  const snapshot = snapshotOf(Array.from({ length: 6 }, () => ({ kind: 'flag', text: 'x'.repeat(500) })));
  const parts = splitReply(selectSince(snapshot, 'server', 0), strict, 2_500);
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.at(-1)).not.toHaveProperty('sentTo');
  for (const [index, { sentTo = Number.NaN }] of parts.slice(0, -1).entries()) {
    const rest = split(selectNewer(snapshot, 'server', sentTo), strict, 2_500);
    const following = parts.slice(index + 1).map(({ text }) => read(text).versions);
    expect(rest.map((text) => read(text).versions)).toEqual(following);
  }
});
