import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

/** Checks that the flags table responds. @throws the cause if it does not, after at most `timeoutMs` */
export async function checkTable(table: Table, timeoutMs: number): Promise<void> {
  await table.client.send(new GetItemCommand({ TableName: table.name, Key: keys.version('-', 0) }), {
    abortSignal: AbortSignal.timeout(timeoutMs),
  });
}
