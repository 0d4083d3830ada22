import { type FlagReader, openFlagReader } from '../../shared/store/reader.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { requireEnv } from './environment.ts';

/** The flags table, named by the stack in the environment. */
export function flagsFromEnv(client = createDynamoDb()): FlagReader {
  return openFlagReader({ client, flags: requireEnv('FLAGS_TABLE') });
}
