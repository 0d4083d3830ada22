import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { DEFAULT_HISTORY_DAYS } from '../documents/historyEntry.ts';
import { attributesOf, numberIn } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { putAfter } from '../table/transaction.ts';
import { type SecretRecord, toSecretItem } from './secrets.ts';

/** An environment: flags, segments and the secrets that open it. */
export interface Environment {
  /** A GUID in lower case, as secrets hold it. */
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly secrets: readonly SecretRecord[];
  /** How many days changes are kept in its history. */
  readonly historyDays: number;
  /** Marked as one that real users see: the console asks before it changes anything here. */
  readonly isProduction: boolean;
  /** Changes of its flags and segments need a reason. The command line and the console check it. */
  readonly requiresReason: boolean;
  /** Counts changes of this record, so that two operators do not overwrite each other. */
  readonly revision: number;
}

/** The write of an environment's record, failing when somebody changed it since `revision` (0: it must be new). */
export function putEnvironment(table: Table, environment: Environment, revision: number): TransactWriteItem {
  const { id, name, createdAt, secrets, historyDays, isProduction, requiresReason, revision: next } = environment;
  return putAfter(table, revision, {
    ...keys.environment(id),
    ...attributesOf({ name, createdAt, secrets: JSON.stringify(secrets), historyDays, revision: next }),
    isProduction: { BOOL: isProduction },
    requiresReason: { BOOL: requiresReason },
  });
}

/** The write of what the list of all environments holds of one; it goes with {@link putEnvironment}, which may fail. */
export function putInList({ name: TableName }: Table, { id, name, isProduction }: Environment): TransactWriteItem {
  const Item = { ...keys.environmentIndex(id), name: { S: name }, isProduction: { BOOL: isProduction } };
  return { Put: { TableName, Item } };
}

/** The writes of an environment's changed or new secrets, to both places that hold them; they fail as {@link putEnvironment} does. */
export function putSecrets(
  table: Table,
  environment: Environment,
  records: readonly SecretRecord[],
): TransactWriteItem[] {
  const kept = environment.secrets.filter((secret) => !records.some(({ id }) => id === secret.id));
  const next = { ...environment, secrets: [...kept, ...records], revision: environment.revision + 1 };
  return [
    putEnvironment(table, next, environment.revision),
    ...records.map((record) => ({ Put: { TableName: table.name, Item: toSecretItem(environment.id, record) } })),
  ];
}

/** How many days changes are kept in an environment's history. */
export async function readHistoryDays(table: Table, envId: string): Promise<number> {
  const item = await readItem(table, keys.environment(envId));
  return (item && numberIn(item, 'historyDays')) || DEFAULT_HISTORY_DAYS;
}
