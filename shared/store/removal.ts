import { paginateQuery, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { inBatches } from './batches.ts';
import type { Environment } from './environments.ts';
import { type Key, keys } from './keys.ts';
import type { Ambient, Tables } from './table.ts';
import { retryWhenCancelled, sendTransaction } from './transaction.ts';
import { VERSION_REPLICAS } from './version.ts';

/** Items of one transaction: DynamoDB takes 100. */
const TRANSACTION = { count: 100, bytes: Number.POSITIVE_INFINITY };

/**
 * Deletes an environment with its secrets, flags and segments, for good. Connected SDKs keep what they have until they
 * reconnect, and are refused then.
 *
 * First nobody can enter, then nobody can write any more, then the documents go, and the records by which it is found last
 * and together: where this is interrupted it can be called again.
 */
export async function removeEnvironment(tables: Tables, ambient: Ambient, environment: Environment): Promise<void> {
  const { id, secrets } = environment;
  const entrances = secrets.map(({ hash }) => keys.secret(hash));
  const versions = Array.from({ length: VERSION_REPLICAS }, (_, replica) => keys.version(id, replica));
  await remove(tables, ambient, [...entrances, ...versions]);
  const meta = keys.environment(id);
  const documents = (await keysUnder(tables, meta)).filter(({ sk }) => sk.S !== meta.sk.S);
  const changes = await keysUnder(tables, keys.journal(id, 0));
  await remove(tables, ambient, [...documents, ...changes]);
  await remove(tables, ambient, [keys.environmentIndex(id), meta]);
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

/** In order, a transaction at a time. */
async function remove(tables: Tables, ambient: Ambient, doomed: readonly Key[]): Promise<void> {
  for (const batch of inBatches(doomed, TRANSACTION, () => 0)) {
    const actions = batch.map((key): TransactWriteItem => ({ Delete: { TableName: tables.flags, Key: key } }));
    await retryWhenCancelled(ambient, () => sendTransaction(tables, actions));
  }
}
