import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { inBatches } from '../../runtime/batches.ts';
import { VERSION_REPLICAS } from '../documents/version.ts';
import { removeSnapshots } from '../snapshots/snapshotWriter.ts';
import { type Key, keys } from '../table/keys.ts';
import { pagesUnder } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { retryWhenCancelled, sendTransaction } from '../table/transaction.ts';
import type { Environment } from './environment.ts';
import { toSecretItem } from './secrets.ts';

/** Items in one transaction. DynamoDB allows 100. */
const TRANSACTION = { count: 100, bytes: Number.POSITIVE_INFINITY };

/**
 * Permanently deletes an environment with its secrets, flags and segments. Revoking the secrets ends its connections.
 * SDKs keep the flags they have.
 *
 * The order is: block new connections, block writes, delete the documents, then delete the records that name the
 * environment in one transaction. After an interruption, call it again.
 */
export async function removeEnvironment(table: Table, environment: Environment): Promise<void> {
  const { id, secrets } = environment;
  const secretKeys = secrets.map(({ hash }) => keys.secret(hash));
  const versions = Array.from({ length: VERSION_REPLICAS }, (_, replica) => keys.version(id, replica));
  const revokedAt = new Date(table.effects.now()).toISOString();
  const revoked = secrets.map((secret) => toSecretItem(id, { ...secret, revokedAt }));
  const revocations = revoked.map((Item) => ({ Put: { TableName: table.name, Item } }));
  await transact(table, [...revocations, ...versions.map((key) => deletion(table, key))]);
  await remove(table, secretKeys);
  const meta = keys.environment(id);
  const documents = (await keysUnder(table, meta)).filter(({ sk }) => sk.S !== meta.sk.S);
  const plans = await keysUnder(table, keys.planCounter(id));
  const due = plans.flatMap((plan) => (plan.due ? { pk: keys.due(0, '', '').pk, sk: plan.due } : []));
  const changes = await keysUnder(table, keys.journal(id, 0));
  const history = await keysUnder(table, keys.history(id, 0));
  await remove(table, [...documents, ...changes, ...history, ...due, ...plans]);
  await removeSnapshots(table, id);
  await remove(table, [keys.hook(id), keys.environmentIndex(id), meta]);
}

/** Keys of items. For a plan also the sort key of its due entry. */
async function keysUnder(table: Table, { pk }: Key): Promise<(Key & { due?: Key['sk'] })[]> {
  const found: (Key & { due?: Key['sk'] })[] = [];
  const pages = pagesUnder(table, pk, { ProjectionExpression: 'pk, sk, due' });
  for await (const items of pages) found.push(...(items as unknown as Key[]));
  return found;
}

async function remove(table: Table, unwanted: readonly Key[]): Promise<void> {
  await transact(
    table,
    unwanted.map((key) => deletion(table, key)),
  );
}

function deletion({ name }: Table, { pk, sk }: Key): TransactWriteItem {
  return { Delete: { TableName: name, Key: { pk, sk } } };
}

/** In order, one transaction after another. */
async function transact(table: Table, actions: readonly TransactWriteItem[]): Promise<void> {
  for (const batch of inBatches(actions, TRANSACTION, () => 0)) {
    await retryWhenCancelled(table.effects, () => sendTransaction(table, batch));
  }
}
