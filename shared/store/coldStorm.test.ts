import { expect, test } from '@jest/globals';
import { repeatedFlags } from '../../loadtest/machine/flagFlips.ts';
import { SNAPSHOT_COPIES } from './documents/storedSnapshot.ts';
import { SnapshotCache } from './snapshots/snapshotCache.ts';
import { SnapshotWriter } from './snapshots/snapshotWriter.ts';
import { database, newEnvironment, useTables } from './testing/testStore.ts';
import { testEffects } from './testing/testTables.ts';

/*
 * A tenth of the load on a deployment after a release: 500 clients a second, so that about 250 instances start at the
 * same time, and partitions of 3,000 read units a second.
 */
const INSTANCES = 25;
const ARRIVALS_PER_SECOND = 50;
const UNITS_PER_SECOND = 300;

/** Maximum duration of a data-sync. */
const ANSWERED_WITHIN_MS = 20_000;

useTables();

/** A read of a partition, and the read units that it takes. */
interface PartitionRead {
  readonly pk: string;
  readonly units: number;
}

/** The reads of a starting instance, in order. @param copy of the snapshot */
async function coldReads(envId: string, copy: number): Promise<PartitionRead[]> {
  const reads: PartitionRead[] = [];
  const effects = { ...testEffects(), random: () => copy / SNAPSHOT_COPIES };
  const store = database.open(effects, async ({ input }, send) => {
    input.ReturnConsumedCapacity = 'TOTAL';
    // biome-ignore lint/suspicious/noExplicitAny: what a command answers.
    const answer = (await send()) as any;
    const pk = (input.Key?.pk ?? input.ExpressionAttributeValues[':pk']).S;
    reads.push({ pk, units: answer.output.ConsumedCapacity.CapacityUnits });
    return answer;
  });
  await new SnapshotCache(store, () => {}).read(envId);
  return reads;
}

/** The longest duration of many instances, if each partition serves one read after another at its rate. */
async function longestWaitMs(envId: string): Promise<number> {
  const copies = await Promise.all(Array.from({ length: SNAPSHOT_COPIES }, (_, copy) => coldReads(envId, copy)));
  const instances = Array.from({ length: INSTANCES }, (_, n) => {
    const startedAt = (1_000 / ARRIVALS_PER_SECOND) * n;
    return { startedAt, at: startedAt, left: [...(copies[n % SNAPSHOT_COPIES] ?? [])] };
  });
  const freeAt = new Map<string, number>();
  while (instances.some(({ left }) => left.length > 0)) {
    const [next] = instances.filter(({ left }) => left.length > 0).sort((a, b) => a.at - b.at);
    const read = next?.left.shift();
    if (!next || !read) break;
    next.at = Math.max(next.at, freeAt.get(read.pk) ?? 0) + (1_000 * read.units) / UNITS_PER_SECOND;
    freeAt.set(read.pk, next.at);
  }
  return Math.max(...instances.map(({ startedAt, at }) => at - startedAt));
}

test('instances that start together answer in time with a snapshot, and not without', async () => {
  const effects = testEffects();
  const store = database.open(effects);
  const envId = await newEnvironment(store);
  await store.documents.import(envId, repeatedFlags(1_000));
  expect(await longestWaitMs(envId)).toBeGreaterThan(ANSWERED_WITHIN_MS);

  await new SnapshotWriter({ client: store.tables.client, name: store.tables.flags, effects }).rewrite(envId);
  // As many changes as there may be after it.
  for (let n = 0; n < 64; n++) {
    const key = `returns-true-${5 * n}`;
    await store.documents.writeFlag(envId, key, (flag) => ({ ...(flag as NonNullable<typeof flag>), name: 'new' }));
  }
  expect(await longestWaitMs(envId)).toBeLessThan(ANSWERED_WITHIN_MS / 4);
});
