import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { textIn } from './attributes.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';
import { putItem } from './write.ts';

/** A release's version. Warnings tell the operator to install it, so other text in the item is not read. */
const VERSION = /^\d{1,5}[.]\d{1,5}[.]\d{1,5}[\w.+-]{0,40}$/;

/**
 * Reads the version of the service that runs on a table.
 *
 * @param abortSignal ends the read, which then rejects
 * @returns undefined if the service has recorded none, in its first minute
 */
export async function readServiceVersion(
  { client, name: TableName }: Pick<Table, 'client' | 'name'>,
  abortSignal?: AbortSignal,
): Promise<string | undefined> {
  const command = new GetItemCommand({ TableName, Key: keys.service() });
  const { Item = {} } = await client.send(command, abortSignal ? { abortSignal } : {});
  const version = textIn(Item, 'version');
  return VERSION.test(version) ? version : undefined;
}

/** Records the version of the service that runs on a table, unless it is already recorded. */
export async function recordServiceVersion(table: Table, version: string): Promise<void> {
  if ((await readServiceVersion(table)) === version) return;
  const at = new Date(table.effects.now()).toISOString();
  await putItem(table, keys.service(), { version, at });
}
