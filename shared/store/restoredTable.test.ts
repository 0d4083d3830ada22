import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DescribeTableCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { replyTo } from '../delivery/reply.ts';
import { inBatches } from '../runtime/batches.ts';
import { aFlag } from '../testing/builders.ts';
import { SnapshotCache } from './snapshots/snapshotCache.ts';
import { type FlagStore, openStore } from './store.ts';
import { newEnvironment, store, useStore } from './testing/testStore.ts';
import { testEffects } from './testing/testTables.ts';

const effects = testEffects();

useStore(effects);

/** A copy of the flags table under another name, as a restore makes it. */
async function restore(): Promise<FlagStore> {
  const { client, flags } = store.tables;
  const { Table } = await client.send(new DescribeTableCommand({ TableName: flags }));
  const TableName = `Restored${effects.uuid()}`;
  const { AttributeDefinitions, KeySchema } = Table ?? {};
  await client.send(
    new CreateTableCommand({ TableName, BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions, KeySchema }),
  );
  for await (const { Items = [] } of paginateScan({ client }, { TableName: flags })) {
    for (const batch of inBatches(Items, { count: 25, bytes: 1 }, () => 0)) {
      const puts = batch.map((Item) => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: puts } }));
    }
  }
  return openStore({ client, flags: TableName }, effects);
}

const put = ({ documents }: FlagStore, envId: string, key: string, name: string) =>
  documents.writeFlag(envId, key, () => aFlag({ key, name }));

test('an SDK that has later data than a restored table gets everything, also after the next change', async () => {
  const envId = await newEnvironment();
  for (const key of ['a', 'b']) await put(store, envId, key, 'before');
  const restored = await restore();
  effects.clock.now += 1_000;
  const [later] = await put(store, envId, 'a', 'after');
  const timestamp = later?.updatedAt ?? 0;
  const cache = new SnapshotCache(restored, () => {});
  const answer = async (cursor: number) => {
    const { snapshot } = await cache.read(envId);
    const { data } = JSON.parse(replyTo(snapshot, 'server', { timestamp: cursor }).text());
    return [
      data.eventType,
      Object.fromEntries(data.featureFlags.map((flag: { key: string; name: string }) => [flag.key, flag.name])),
    ];
  };
  expect(await answer(timestamp)).toEqual(['full', { a: 'before', b: 'before' }]);
  effects.clock.now += 1_000;
  const [first] = await put(restored, envId, 'b', 'restored');
  expect(await answer(timestamp)).toEqual(['full', { a: 'before', b: 'restored' }]);
  // From then on, changes are sent as in any table.
  expect(await answer(first?.updatedAt ?? 0)).toEqual(['patch', {}]);
  await put(restored, envId, 'a', 'restored');
  expect(await answer(first?.updatedAt ?? 0)).toEqual(['patch', { a: 'restored' }]);
});
