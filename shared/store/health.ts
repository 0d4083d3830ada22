import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { keys } from './keys.ts';
import type { Tables } from './table.ts';

/** Whether the flags table answers. @throws whatever keeps it from answering, after `timeoutMs` at the latest */
export async function checkTable(tables: Tables, timeoutMs: number): Promise<void> {
  await tables.client.send(new GetItemCommand({ TableName: tables.flags, Key: keys.version('-', 0) }), {
    abortSignal: AbortSignal.timeout(timeoutMs),
  });
}
