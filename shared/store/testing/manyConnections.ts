import { BatchWriteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { userDocument } from '../../flags/user.ts';
import { inBatches } from '../../runtime/batches.ts';
import { keyOfConnection, type Registration } from '../connections/connection.ts';
import { type ConnectionsTable, openConnections } from '../connections/connections.ts';
import { connect } from './connect.ts';

/** Number of rows in one request, and number of parallel requests. */
const BATCH = { count: 25, bytes: 1024 ** 2 };
const WRITERS = 8;

/**
 * Creates many connections that were answered with version 0. The first is created by the service. The others are
 * copies of its row with other ids and users.
 */
export async function registerMany(
  table: ConnectionsTable,
  envId: string,
  [first, ...others]: readonly [Registration, ...Registration[]],
): Promise<void> {
  const { client, connections: TableName } = table;
  await connect(openConnections(table), envId, first);
  const { Item = {} } = await client.send(new GetItemCommand({ TableName, Key: keyOfConnection(envId, first.id) }));
  const rowOf = ({ id, user }: Registration) => ({
    ...Item,
    ...keyOfConnection(envId, id),
    ...(user ? { user: { S: JSON.stringify(userDocument(user)) } } : {}),
  });
  const batches = inBatches(others, BATCH, () => 1_000);
  const writer = async () => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) {
      let left = batch.map((each) => ({ PutRequest: { Item: rowOf(each) } }));
      while (left.length > 0) {
        const { UnprocessedItems = {} } = await client.send(
          new BatchWriteItemCommand({ RequestItems: { [TableName]: left } }),
        );
        left = (UnprocessedItems[TableName] ?? []) as typeof left;
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}
