import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Effects, systemEffects } from '../runtime/effects.ts';
import { DocumentReader } from './documents.ts';
import { checkTable } from './health.ts';
import { RelayReader } from './relay.ts';
import { SecretReader } from './secrets.ts';

/** The flags table by its name, and the client that reaches it. */
export interface FlagsTable {
  readonly client: DynamoDBClient;
  readonly flags: string;
}

/** The flags table, opened to read. */
export interface FlagReader {
  readonly documents: DocumentReader;
  readonly secrets: SecretReader;
  readonly relays: RelayReader;
  readonly effects: Effects;
  /** Resolves when the table answers. @throws what keeps it from answering, after `timeoutMs` at the latest */
  check(timeoutMs: number): Promise<void>;
  /** Ends the client's sockets. */
  close(): void;
}

/** Opens the flags table to read: what functions do, whose bundles then hold nothing that writes. */
export function openFlagReader({ client, flags }: FlagsTable, effects: Effects = systemEffects): FlagReader {
  const table = { client, name: flags, effects };
  return {
    documents: new DocumentReader(table),
    secrets: new SecretReader(table),
    relays: new RelayReader(table),
    effects,
    check: (timeoutMs) => checkTable(table, timeoutMs),
    close: () => client.destroy(),
  };
}
