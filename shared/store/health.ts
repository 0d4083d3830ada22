import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

/** Whether the flags table answers. @throws whatever keeps it from answering, after `timeoutMs` at the latest */
export async function checkTable(table: Table, timeoutMs: number): Promise<void> {
  await table.client.send(new GetItemCommand({ TableName: table.name, Key: keys.version('-', 0) }), {
    abortSignal: AbortSignal.timeout(timeoutMs),
  });
}
