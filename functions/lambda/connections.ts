import { type Connections, openConnections } from '../../shared/store/connections/connections.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { requireEnv } from './environment.ts';

/** The connections table, named by the stack in the environment. */
export function connectionsFromEnv(client = createDynamoDb()): Connections {
  return openConnections({ client, connections: requireEnv('CONNECTIONS_TABLE') });
}
