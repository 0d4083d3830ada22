import type { UserIdentity } from './changeRecord.ts';
import type { Database } from './database.ts';
import {
  dynaliteOperation,
  type Input,
  type Item,
  keyPrefix,
  prefixRange,
  primaryKey,
  type Table,
} from './dynaliteInternals.ts';
import { openStage, readTable, type Stage } from './stage.ts';
import { isExpired, ttlPrefix } from './ttl.ts';

/** Items that one commit removes. Requests run between commits. */
const batchSize = 25;

/** Marks a removal as DynamoDB's own in the change log. */
const byTtl: UserIdentity = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };

const deleteItem = dynaliteOperation('DeleteItem');

/** Removes every expired item of every table with TTL on. `now` is unix ms. */
export async function sweepExpired(database: Database, now: number): Promise<void> {
  for (const key of await database.store.db.keys(prefixRange(ttlPrefix)).all()) {
    const table = readTable(database.store, key.slice(ttlPrefix.length)) as Table;
    const attribute = database.store.db.getSync(key) as string;
    const keys = await expiredKeys(database, table, attribute, now);
    for (let start = 0; start < keys.length; start += batchSize) {
      await database.exclusively(() =>
        removeExpired(database, table.TableName, attribute, keys.slice(start, start + batchSize), now),
      );
    }
  }
}

async function expiredKeys({ store }: Database, table: Table, attribute: string, now: number): Promise<Item[]> {
  const keys: Item[] = [];
  for await (const value of store.db.values(prefixRange(keyPrefix.items(table.TableName)))) {
    const item = value as Item;
    if (isExpired(item, attribute, now)) keys.push(primaryKey(item, table));
  }
  return keys;
}

// Between the walk over the table and its turn here, an item may have been given more time.
async function removeExpired(
  database: Database,
  table: string,
  attribute: string,
  keys: Item[],
  now: number,
): Promise<void> {
  const stages: Stage[] = [];
  for (const key of keys) {
    const stage = openStage(database.store);
    await stage.run(deleteItem, { TableName: table, Key: key } satisfies Input);
    if (isExpired(stage.found, attribute, now)) stages.push(stage);
  }
  await database.commit(stages, { userIdentity: byTtl });
}
