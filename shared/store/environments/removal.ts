import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { inBatches } from '../../runtime/batches.ts';
import { endVersion, readVersion } from '../documents/version.ts';
import { removeSnapshots } from '../snapshots/snapshotWriter.ts';
import { NotFound } from '../table/errors.ts';
import { type Key, keys } from '../table/keys.ts';
import { readItems } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { retryWhenCancelled, sendTransaction } from '../table/transaction.ts';
import type { Environment } from './environment.ts';
import { toSecretItem } from './secrets.ts';

/** Items in one transaction. DynamoDB allows 100. */
const TRANSACTION = { count: 100, bytes: Number.POSITIVE_INFINITY };

/** Secrets that are revoked in the same transaction as the version ends. */
const WITH_VERSION = 50;

/**
 * Permanently deletes an environment with its secrets, flags and segments. Revoking the secrets ends its connections.
 * SDKs keep the flags they have. Of the environment, only its id and its last version stay: if it is created again with this id,
 * its versions continue above it, so that no cache and no SDK takes it for the deleted one.
 *
 * The order is: block new connections, block writes, delete the documents, then delete the records that name the
 * environment in one transaction. After an interruption, call it again.
 */
export async function removeEnvironment(table: Table, environment: Environment): Promise<void> {
  const { id, secrets } = environment;
  const secretKeys = secrets.map(({ hash }) => keys.secret(hash));
  const revokedAt = new Date(table.effects.now()).toISOString();
  const revoked = secrets.map((secret) => toSecretItem(id, { ...secret, revokedAt }));
  const revocations = revoked.map((Item) => ({ Put: { TableName: table.name, Item } }));
  await transact(table, revocations.slice(WITH_VERSION));
  await retryWhenCancelled(table.effects, async () => {
    const actions = [...revocations.slice(0, WITH_VERSION), ...(await endWrites(table, id))];
    if (actions.length > 0) await sendTransaction(table, actions);
  });
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

/** {@link endVersion}. @returns nothing if an interrupted deletion has done it */
async function endWrites(table: Table, envId: string): Promise<TransactWriteItem[]> {
  try {
    return endVersion(table, envId, await readVersion(table, envId));
  } catch (error) {
    if (error instanceof NotFound) return [];
    throw error;
  }
}

/** Keys of items. For a plan also the sort key of its due entry. */
async function keysUnder(table: Table, { pk }: Key): Promise<(Key & { due?: Key['sk'] })[]> {
  return (await readItems(table, pk, { ProjectionExpression: 'pk, sk, due' })) as unknown as Key[];
}

async function remove(table: Table, unwanted: readonly Key[]): Promise<void> {
  const deletions = unwanted.map(({ pk, sk }) => ({ Delete: { TableName: table.name, Key: { pk, sk } } }));
  await transact(table, deletions);
}

/** In order, one transaction after another. */
async function transact(table: Table, actions: readonly TransactWriteItem[]): Promise<void> {
  for (const batch of inBatches(actions, TRANSACTION, () => 0)) {
    await retryWhenCancelled(table.effects, () => sendTransaction(table, batch));
  }
}
