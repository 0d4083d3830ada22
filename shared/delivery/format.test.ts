import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { compileSnapshot } from '../evaluation/snapshot.ts';
import type { Flag } from '../flags/flag.ts';
import type { Segment } from '../flags/segment.ts';
import { parseUser } from '../flags/user.ts';
import { wireJson } from '../flags/wireDocument.ts';
import { aFlag, aSegment, aUser } from '../testing/builders.ts';
import { benchmarkDocuments, clientFullSyncs, parseDocuments } from '../testing/fixtures.ts';
import { clientFormat, formatFor, formatReply, replyItems, serverFormat } from './format.ts';
import { selectSince } from './selection.ts';

const benchmark = compileSnapshot({ envId: 'env', version: 1, ...parseDocuments(benchmarkDocuments()) });
const at = (second: number) => `2024-01-01T00:00:0${second}.000Z`;

describe('a reply to a client', () => {
  test.each(clientFullSyncs().map((sync, index) => [index, sync] as const))(
    'is byte for byte what FeatBit answers to user %i',
    (_, { user, response }) => {
      const parsed = parseUser(user);
      if (!parsed) throw new Error('the fixture holds a user that is not valid');
      expect(formatReply(selectSince(benchmark, 'client', 0), clientFormat(parsed))).toBe(JSON.stringify(response));
    },
  );

  test('is complete if it is empty', () => {
    const empty = compileSnapshot({ envId: 'env', version: 0, flags: [], segments: [] });
    expect(formatReply(selectSince(empty, 'client', 0), clientFormat(aUser('u1')))).toBe(
      '{"messageType":"data-sync","data":{"eventType":"full","userKeyId":"u1","featureFlags":[]}}',
    );
  });

  test('names the user as it was sent, whatever characters that has', () => {
    const keyId = '"\\\n\u2028é💥\ud800';
    const text = formatReply({ eventType: 'patch', flags: [], segments: [] }, clientFormat(aUser(keyId)));
    expect(JSON.parse(text).data.userKeyId).toBe(keyId);
    expect(Buffer.from(text).toString()).toBe(text);
  });

  test('never holds a segment, nor a flag’s document', () => {
    const snapshot = compileSnapshot({
      envId: 'env',
      version: 1,
      flags: [aFlag({ tags: ['internal'], targetUsers: [{ keyIds: ['somebody-else'], variationId: 'off' }] })],
      segments: [aSegment({ included: ['somebody-else'] })],
    });
    const selection = { eventType: 'full', flags: snapshot.flags, segments: snapshot.segments } as const;
    const text = formatReply(selection, clientFormat(aUser('u1')));
    expect(replyItems(selection, clientFormat(aUser('u1'))).map(({ kind }) => kind)).toEqual(['flag']);
    expect(text).not.toMatch(/somebody-else|internal|segments|rules/);
  });
});

const server = serverFormat('any');

describe('a reply to a server', () => {
  test('holds documents with all fields, flags and segments apart, each ascending', () => {
    const text = formatReply(selectSince(benchmark, 'server', 0), server);
    const raw = ['flags', 'segments'].map((kind) =>
      JSON.parse(readFileSync(new URL(`../reference-data/${kind}.json`, import.meta.url), 'utf8')).map(
        (document: Flag | Segment) => JSON.parse(wireJson(document)),
      ),
    );
    const byTime = (a: { updatedAt: string }, b: { updatedAt: string }) => a.updatedAt.localeCompare(b.updatedAt);
    expect(JSON.parse(text)).toMatchObject({
      messageType: 'data-sync',
      data: { eventType: 'full', featureFlags: raw[0].toSorted(byTime), segments: raw[1].toSorted(byTime) },
    });
  });

  test('always has both lists', () => {
    expect(formatReply({ eventType: 'patch', flags: [], segments: [] }, server)).toBe(
      '{"messageType":"data-sync","data":{"eventType":"patch","featureFlags":[],"segments":[]}}',
    );
  });

  test('lists its items ascending across flags and segments', () => {
    const snapshot = compileSnapshot({
      envId: 'env',
      version: 1,
      flags: [aFlag({ key: 'b', updatedAt: at(2) }), aFlag({ key: 'd', updatedAt: at(4) })],
      segments: [aSegment({ id: 'a', updatedAt: at(1) }), aSegment({ id: 'c', updatedAt: at(3) })],
    });
    expect(replyItems(selectSince(snapshot, 'server', 0), server).map(({ kind, id }) => [kind, id])).toEqual([
      ['segment', 'a'],
      ['flag', 'b'],
      ['segment', 'c'],
      ['flag', 'd'],
    ]);
  });
});

test('a client without a user is refused, and never given the documents', () => {
  expect(() => formatFor('client', undefined)).toThrow(new RangeError('a client-type reply needs a user'));
  expect(formatFor('server', undefined).wrap('patch', [])).toBe(server.wrap('patch', []));
  expect(formatFor('server', aUser('u1')).wrap('patch', [])).toBe(server.wrap('patch', []));
  expect(formatFor('client', aUser('u1')).wrap('patch', [])).toContain('"userKeyId":"u1"');
});

test('sends a server one item a patch unless more is known, and a client what fits', () => {
  expect(formatFor('server', undefined).patchContents).toBe('one-item');
  expect(formatFor('server', undefined, 'one-kind')).toMatchObject({
    patchContents: 'one-kind',
    lean: { patchContents: 'one-kind' },
  });
  expect(formatFor('client', aUser('u1'), 'one-item').patchContents).toBe('any');
  expect(formatFor('client', aUser('u1'))).not.toHaveProperty('lean');
});
