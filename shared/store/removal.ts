import { paginateQuery, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { inBatches } from './batches.ts';
import type { Effects } from './effects.ts';
import type { Environment } from './environments.ts';
import { type Key, keys } from './keys.ts';
import { toSecretItem } from './secrets.ts';
import type { Tables } from './table.ts';
import { retryWhenCancelled, sendTransaction } from './transaction.ts';
import { VERSION_REPLICAS } from './version.ts';

/** Items of one transaction: DynamoDB takes 100. */
const TRANSACTION = { count: 100, bytes: Number.POSITIVE_INFINITY };

/**
 * Deletes an environment with its secrets, flags and segments, for good. Its secrets are revoked, which ends its
 * connections; SDKs keep what they have.
 *
 * First nobody can enter, then nobody can write any more, then the documents go, and the records by which it is found last
 * and together: where this is interrupted it can be called again.
 */
export async function removeEnvironment(tables: Tables, effects: Effects, environment: Environment): Promise<void> {
  const { id, secrets } = environment;
  const secretKeys = secrets.map(({ hash }) => keys.secret(hash));
  const versions = Array.from({ length: VERSION_REPLICAS }, (_, replica) => keys.version(id, replica));
  const revokedAt = new Date(effects.now()).toISOString();
  const revoked = secrets.map((secret) => toSecretItem(id, { ...secret, revokedAt }));
  const revocations = revoked.map((Item) => ({ Put: { TableName: tables.flags, Item } }));
  await transact(tables, effects, [...revocations, ...versions.map((key) => deletion(tables, key))]);
  await remove(tables, effects, secretKeys);
  const meta = keys.environment(id);
  const documents = (await keysUnder(tables, meta)).filter(({ sk }) => sk.S !== meta.sk.S);
  const changes = await keysUnder(tables, keys.journal(id, 0));
  await remove(tables, effects, [...documents, ...changes]);
  await remove(tables, effects, [keys.environmentIndex(id), meta]);
}

async function keysUnder(tables: Tables, { pk }: Key): Promise<Key[]> {
  const found: Key[] = [];
  const pages = paginateQuery(
    { client: tables.client },
    {
      TableName: tables.flags,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ProjectionExpression: 'pk, sk',
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) found.push(...(Items as unknown as Key[]));
  return found;
}

async function remove(tables: Tables, effects: Effects, unwanted: readonly Key[]): Promise<void> {
  await transact(
    tables,
    effects,
    unwanted.map((key) => deletion(tables, key)),
  );
}

function deletion({ flags }: Tables, Key: Key): TransactWriteItem {
  return { Delete: { TableName: flags, Key } };
}

/** In order, a transaction at a time. */
async function transact(tables: Tables, effects: Effects, actions: readonly TransactWriteItem[]): Promise<void> {
  for (const batch of inBatches(actions, TRANSACTION, () => 0)) {
    await retryWhenCancelled(effects, () => sendTransaction(tables, batch));
  }
}
