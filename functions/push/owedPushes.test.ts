import { describe, expect, test } from '@jest/globals';
import { compileSnapshot } from '../../shared/evaluation/snapshot.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import type { Change } from '../../shared/store/documents/change.ts';
import type { StoredDocument } from '../../shared/store/documents/item.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { owedPushes } from './owedPushes.ts';

/** The flag that a version wrote; its key says which. */
const stored = (version: number): StoredDocument => ({
  kind: 'flag',
  envId: 'env',
  id: `f${version}`,
  updatedAt: version,
  previous: version - 1,
  writtenAt: version,
  targetedAt: 0,
  body: { text: JSON.stringify(aFlag({ key: `f${version}`, updatedAt: formatTimestamp(version) })) },
});

function changeOf(version: number): Change {
  const { targetedAt, body, ...change } = stored(version);
  return { ...change, body: body as { text: string } };
}

/** A round to version 9 of an environment whose versions 1 to 9 are one flag each. */
async function round(versions: readonly number[], { servedTo = 0 } = {}) {
  const reads: [after: number, upTo: number][] = [];
  const snapshot = compileSnapshot({ envId: 'env', version: 9, flags: [], segments: [] });
  const documents = {
    missed: async (_envId: string, after: number, upTo: number) => {
      reads.push([after, upTo]);
      return Array.from({ length: upTo - after }, (_, n) => stored(after + n + 1));
    },
  };
  const snapshots = { read: async () => ({ snapshot }) as never };
  const changes = versions.map(changeOf);
  const pushes = await owedPushes({ documents, snapshots }, { envId: 'env', servedTo, version: 9, changes });
  return { ...pushes, reads };
}

const versionsOf = (pushes: readonly { readonly updatedAt: number }[]) => pushes.map(({ updatedAt }) => updatedAt);

describe('the pushes of a round', () => {
  test('are the given changes if none is missing, without a read', async () => {
    const { pushes, reads } = await round([8, 9], { servedTo: 7 });
    expect([versionsOf(pushes), reads]).toEqual([[8, 9], []]);
  });

  test.each([
    ['before the first', [8, 9]],
    ['between', [7, 9]],
    ['after the last', [7, 8]],
    ['altogether', []],
  ])('include missing changes %s, in their place', async (_, versions) => {
    const { pushes, reads } = await round(versions, { servedTo: 6 });
    expect([versionsOf(pushes), reads]).toEqual([[7, 8, 9], [[6, 9]]]);
  });
});

describe('the pushes for connections that are behind', () => {
  test('are read once for all that lack no more than the first', async () => {
    const { since, reads } = await round([9], { servedTo: 8 });
    expect(versionsOf(await since(5))).toEqual([6, 7, 8, 9]);
    expect(versionsOf(await since(5))).toEqual([6, 7, 8, 9]);
    expect(versionsOf(await since(7))).toEqual([8, 9]);
    expect(reads).toEqual([[5, 9]]);
  });

  test('are read again for one that lacks more', async () => {
    const { since, reads } = await round([9], { servedTo: 8 });
    await since(7);
    expect(versionsOf(await since(5))).toEqual([6, 7, 8, 9]);
    expect(reads).toEqual([
      [7, 9],
      [5, 9],
    ]);
  });
});
