import { systemEffects } from '../../shared/runtime/effects.ts';
import { type Connections, openConnections } from '../../shared/store/connections/connections.ts';
import { type FlagReader, openFlagReader } from '../../shared/store/reader.ts';
import { createDynamoDb, type Table } from '../../shared/store/table/table.ts';

/*
 * What the functions use, with the names and limits that the stack sets in their environment. Snapshots, which make a bundle almost
 * twice as large, and posts are in answeringFromEnv.ts.
 */

/** Time limits of requests to AWS, for the clients of its services. */
export const requestHandler = { connectionTimeout: 1_000, socketTimeout: 5_000 };

/** A setting from the environment. @throws {Error} with the name of the variable if it is missing */
export function requireEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set; the stack sets it on every function`);
  return value;
}

/** A setting that is a number above 0. @throws {Error} with the name of the variable if it is not */
export function requireNumber(name: string): number {
  const text = requireEnv(name);
  const value = Number(text);
  if (!(value > 0)) throw new Error(`the environment variable ${name} is "${text}", not a number above 0`);
  return value;
}

/** The flags table, for writers. */
export function flagsTableFromEnv(client = createDynamoDb()): Table {
  return { client, name: requireEnv('FLAGS_TABLE'), effects: systemEffects };
}

/** The flags table, for readers. */
export function flagsFromEnv(client = createDynamoDb()): FlagReader {
  return openFlagReader({ client, flags: requireEnv('FLAGS_TABLE') });
}

/** The connections table. */
export function connectionsFromEnv(client = createDynamoDb()): Connections {
  return openConnections({ client, connections: requireEnv('CONNECTIONS_TABLE') });
}
