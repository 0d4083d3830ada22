import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileSnapshot, type Snapshot } from '../evaluation/snapshot.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { aFlag, aSegment } from '../testing/builders.ts';
import { runs } from '../testing/runs.ts';
import { type RelayedEnvironment, relayReply } from './relayReply.ts';

interface Item {
  readonly kind: 'flag' | 'segment';
  /** Length of its description, or of a segment's only user, in characters. */
  readonly size: number;
}

/** An environment with these items, with ascending versions from 1. */
function environment(envId: string, items: readonly Item[]): RelayedEnvironment {
  const of = (kind: Item['kind']) =>
    items.flatMap((item, index) => (item.kind === kind ? [{ ...item, version: index + 1 }] : []));
  const common = (version: number, size: number) => ({
    envId,
    updatedAt: formatTimestamp(version),
    description: 'x'.repeat(size),
  });
  const snapshot: Snapshot = compileSnapshot({
    envId,
    version: items.length,
    flags: of('flag').map(({ version, size }) => aFlag({ key: `${version}`, ...common(version, size) })),
    segments: of('segment').map(({ version, size }) =>
      aSegment({ id: `${version}`, ...common(version, 0), included: ['x'.repeat(size)] }),
    ),
  });
  const secret = { type: 'server', projectKey: 'p', envId, envKey: 'e', value: `secret of ${envId}` } as const;
  return { snapshot, secrets: [secret] };
}

/**
 * The items of messages after the first, or of a head, as `envId version`, in the order in which an agent forwards
 * them.
 */
function told(messages: readonly string[]): string[] {
  return messages.flatMap((message) => {
    const { data } = JSON.parse(message);
    const entries = data.items ?? [data];
    return entries.flatMap(({ featureFlags, segments }: Record<string, { envId: string; updatedAt: string }[]>) =>
      [...(featureFlags ?? []), ...(segments ?? [])].map(({ envId, updatedAt }) => `${envId} ${Date.parse(updatedAt)}`),
    );
  });
}

const eventTypes = (messages: readonly string[]) => messages.map((message) => JSON.parse(message).data.eventType);
const flag: Item = { kind: 'flag', size: 1 };
const segment: Item = { kind: 'segment', size: 1 };
const full = { timestamp: 0, cursors: new Map() };

describe('the reply to an agent', () => {
  test('has all of each environment with secrets for a new agent, in one entry', () => {
    const environments = [environment('a', [flag, segment, flag]), environment('b', [])];
    const [message = '', ...others] = relayReply(environments, full);
    expect(others).toEqual([]);
    expect(JSON.parse(message)).toMatchObject({
      messageType: 'data-sync',
      data: {
        eventType: 'rp_full',
        items: [
          {
            envId: 'a',
            secrets: [{ type: 'server', projectKey: 'p', envId: 'a', envKey: 'e', value: 'secret of a' }],
            featureFlags: [{ key: '1' }, { key: '3' }],
            segments: [{ id: '2' }],
          },
          { envId: 'b', secrets: [{ envId: 'b' }], featureFlags: [], segments: [] },
        ],
      },
    });
  });

  test('has newer items without secrets, and all of an environment without cursor', () => {
    const environments = [environment('a', [flag, flag]), environment('b', [flag]), environment('c', [flag])];
    const cursors = new Map([
      ['a', 1],
      ['b', 1],
      ['gone', 9],
    ]);
    const [message = ''] = relayReply(environments, { timestamp: 1, cursors });
    const { eventType, items } = JSON.parse(message).data;
    expect(eventType).toBe('rp_patch');
    expect(items).toMatchObject([
      { envId: 'c', secrets: [], featureFlags: [{ key: '1' }] },
      { envId: 'a', secrets: [], featureFlags: [{ key: '2' }] },
      { envId: 'b', secrets: [], featureFlags: [], segments: [] },
    ]);
  });

  test('has all of an environment with a lower version than the cursor, as it was reset', () => {
    const request = { timestamp: 9, cursors: new Map([['a', 9]]) };
    expect(told(relayReply([environment('a', [flag, flag])], request))).toEqual(['a 1', 'a 2']);
  });

  test('begins a new entry for a flag after a segment, as an agent applies flags first', () => {
    const request = { timestamp: 1, cursors: new Map() };
    const [message = ''] = relayReply([environment('a', [flag, segment, flag])], request);
    expect(told([message])).toEqual(['a 1', 'a 2', 'a 3']);
    expect(JSON.parse(message).data.items).toHaveLength(2);
  });

  test('leaves out an item that fits no message, and carries all others', () => {
    const environments = [environment('a', [flag, { kind: 'segment', size: 5_000 }, flag])];
    expect(told(relayReply(environments, full, 5_000))).toEqual(['a 1', 'a 3']);
  });

  test('fits any limit, has each item once, the oldest first, and each environment', () => {
    const items = fc.array(
      fc.record({ kind: fc.constantFrom('flag' as const, 'segment' as const), size: fc.nat(2_000) }),
      { maxLength: 12 },
    );
    const limits = fc.integer({ min: 6_000, max: 30_000 });
    fc.assert(
      fc.property(items, items, fc.nat(12), fc.boolean(), limits, (a, b, cursor, isFull, limit) => {
        const environments = [environment('a', a), environment('b', b)];
        const request = isFull ? full : { timestamp: 1, cursors: new Map([['a', cursor]]) };
        const messages = relayReply(environments, request, limit);
        for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThanOrEqual(limit);
        expect(eventTypes(messages)).toEqual([
          isFull ? 'rp_full' : 'rp_patch',
          ...messages.slice(1).map(() => 'patch'),
        ]);
        const after = isFull || cursor > a.length ? 0 : cursor;
        const expected = [...a.keys()].map((index) => index + 1).filter((version) => version > after);
        const got = told(messages);
        expect(got.filter((each) => each.startsWith('b ')).toSorted()).toEqual(
          b.map((_, index) => `b ${index + 1}`).toSorted(),
        );
        expect(got.filter((each) => each.startsWith('a ')).toSorted()).toEqual(
          expected.map((version) => `a ${version}`).toSorted(),
        );
        const inOrder = isFull ? told(messages.slice(1)) : got;
        for (const envId of ['a ', 'b ']) {
          const versions = inOrder.filter((each) => each.startsWith(envId)).map((each) => Number(each.slice(2)));
          expect(versions).toEqual(versions.toSorted((x, y) => x - y));
        }
        expect(relayReply(environments, request)).toHaveLength(1);
      }),
      { numRuns: runs(300) },
    );
  });
});
