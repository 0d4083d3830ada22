import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { keys } from './keys.ts';
import { readItem } from './read.ts';
import type { Table } from './table.ts';

/** Names of the other tables of a service, in the region and account of its flags table. */
export interface ServiceTables {
  readonly connections: string;
}

/** Characters that DynamoDB allows in the name of a table. */
const NAME = /^[\w.-]{3,255}$/;

/**
 * Reads the names of the other tables of a service.
 *
 * @returns undefined if the service has recorded none: before its first minute, or in releases up to 0.2.0
 */
export async function readServiceTables(table: Table): Promise<ServiceTables | undefined> {
  const connections = (await readItem(table, keys.serviceTables()))?.['connections']?.S ?? '';
  return NAME.test(connections) ? { connections } : undefined;
}

/** Records the names of the other tables, unless they are already recorded. */
export async function recordServiceTables(table: Table, { connections }: ServiceTables): Promise<void> {
  if ((await readServiceTables(table))?.connections === connections) return;
  const at = new Date(table.effects.now()).toISOString();
  const Item = { ...keys.serviceTables(), connections: { S: connections }, at: { S: at } };
  await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
}
