import { expect, test } from '@jest/globals';
import { replyTo } from '../../delivery/reply.ts';
import type { Document } from '../../flags/document.ts';
import type { Flag } from '../../flags/flag.ts';
import { aFlag } from '../../testing/builders.ts';
import { SnapshotCache } from '../snapshots/snapshotCache.ts';
import { SnapshotWriter } from '../snapshots/snapshotWriter.ts';
import { NotFound } from '../table/errors.ts';
import { database, newEnvironment, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';

const effects = testEffects();

useStore(effects);

const put = (envId: string, key: string, name: string) =>
  store.documents.writeFlag(envId, key, () => aFlag({ key, name }));
const remove = async (envId: string) => store.environments.remove(await store.environments.find(envId));

/** Deletes an environment and creates it again with its id. @returns the last version of the deleted one */
async function makeAgain(envId: string): Promise<number> {
  const { updatedAt } = await store.documents.version(envId);
  await remove(envId);
  await store.environments.create(`again ${effects.uuid()}`, envId);
  return updatedAt;
}

/** The documents of an environment, as a backup has them. */
async function backUp(envId: string, edit: (flag: Flag) => Flag = (flag) => flag): Promise<Document[]> {
  const { snapshot } = await new SnapshotCache(store, () => {}).read(envId);
  return snapshot.flags.map(({ document }) => ({ kind: 'flag', document: edit(document) }));
}

const namesIn = (cache: SnapshotCache, envId: string) =>
  cache.read(envId).then(({ snapshot }) => snapshot.flags.map(({ document }) => document.name));

test.each<[string, (envId: string) => Promise<Document[]>]>([
  ['an older backup', (envId) => backUp(envId)],
  ['a backup that was edited by hand', (envId) => backUp(envId, (flag) => ({ ...flag, name: 'edited' }))],
])('a cache that missed the deletion reads a new environment from %s', async (_, make) => {
  const envId = await newEnvironment();
  for (const name of ['backup', 'later']) await put(envId, name, name);
  await new SnapshotWriter({ client: store.tables.client, name: store.tables.flags, effects }).rewrite(envId);
  const backup = await make(envId);
  const cache = new SnapshotCache(store, () => {});
  await namesIn(cache, envId);
  const last = await makeAgain(envId);
  expect(await namesIn(cache, envId)).toEqual([]);
  await store.documents.import(envId, backup);
  expect(await namesIn(cache, envId)).toEqual(backup.map(({ document }) => document.name));
  for (const { updatedAt } of await store.documents.load(envId)) expect(updatedAt).toBeGreaterThan(last);
});

test('an SDK with data of the deleted environment gets everything, however little that is', async () => {
  const envId = await newEnvironment();
  await put(envId, 'f', 'old');
  const cursor = await makeAgain(envId);
  for (const names of [[], ['new']]) {
    for (const name of names) await put(envId, name, name);
    const { snapshot } = await new SnapshotCache(store, () => {}).read(envId);
    for (const timestamp of [1, cursor, cursor + 1]) {
      const { data } = JSON.parse(replyTo(snapshot, 'server', { timestamp }).text());
      const received = data.featureFlags.map(({ name }: Flag) => name);
      expect([data.eventType, received]).toEqual(['full', names]);
    }
    const isKept = names.length > 0;
    expect(replyTo(snapshot, 'server', { timestamp: snapshot.version }).isEmpty).toBe(isKept);
  }
});

test('versions go on above the last one, however often and by whichever clock', async () => {
  const envId = await newEnvironment();
  let last = 0;
  for (const hours of [24, -48, 1]) {
    effects.clock.now += hours * 3_600_000;
    await put(envId, 'f', 'f');
    expect((await store.documents.version(envId)).updatedAt).toBeGreaterThan(last);
    last = await makeAgain(envId);
    expect((await store.documents.version(envId)).updatedAt).toBe(last + 1);
  }
});

test('a deletion counts the change of a writer that was faster', async () => {
  const envId = await newEnvironment();
  let version = 0;
  const overtaken = database.open(effects, async ({ input }, send) => {
    if (version === 0 && input.TransactItems?.some(({ Delete }: { Delete?: object }) => Delete)) {
      version = (await put(envId, 'f', 'f'))[0]?.updatedAt ?? 0;
    }
    return send();
  });
  await overtaken.environments.remove(await store.environments.find(envId));
  await store.environments.create(`again ${effects.uuid()}`, envId);
  expect((await store.documents.version(envId)).updatedAt).toBe(version + 1);
});

test('a cache forgets a deleted environment, and then reads one made again once', async () => {
  const envId = await newEnvironment();
  await put(envId, 'f', 'old');
  let queries = 0;
  const counted = database.open(effects, ({ name }, send) => {
    if (name === 'Query') queries++;
    return send();
  });
  const cache = new SnapshotCache(counted, () => {});
  await cache.read(envId);
  await remove(envId);
  await expect(cache.read(envId)).rejects.toThrow(NotFound);
  await store.environments.create(`again ${effects.uuid()}`, envId);
  await store.documents.import(envId, [{ kind: 'flag', document: aFlag({ key: 'f', name: 'new' }) }]);
  queries = 0;
  for (let n = 0; n < 10; n++) expect(await namesIn(cache, envId)).toEqual(['new']);
  expect(queries).toBe(1);
});
