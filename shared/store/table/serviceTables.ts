import { textIn } from './attributes.ts';
import { keys } from './keys.ts';
import { readItem } from './read.ts';
import type { Table } from './table.ts';
import { putItem } from './write.ts';

/** Names of the other tables of a service, in the region and account of its flags table. */
export interface ServiceTables {
  readonly connections: string;
  /** Absent if the service does not count evaluations. */
  readonly usage?: string;
}

/** Characters that DynamoDB allows in the name of a table. */
const NAME = /^[\w.-]{3,255}$/;

/**
 * Reads the names of the other tables of a service.
 *
 * @returns undefined if the service has recorded none, in its first minute
 */
export async function readServiceTables(table: Table): Promise<ServiceTables | undefined> {
  const item = (await readItem(table, keys.serviceTables())) ?? {};
  const [connections, usage] = ['connections', 'usage'].map((name) => textIn(item, name)).map(validName);
  return connections === undefined ? undefined : { connections, ...(usage === undefined ? {} : { usage }) };
}

/** Records the names of the other tables, unless they are already recorded. */
export async function recordServiceTables(table: Table, { connections, usage }: ServiceTables): Promise<void> {
  const recorded = await readServiceTables(table);
  if (recorded?.connections === connections && recorded.usage === usage) return;
  const at = new Date(table.effects.now()).toISOString();
  await putItem(table, keys.serviceTables(), { connections, usage, at });
}

function validName(name: string): string | undefined {
  return NAME.test(name) ? name : undefined;
}
