import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type Effects, systemEffects } from '../runtime/effects.ts';
import { DocumentReader } from './documents/documents.ts';
import { RelayReader } from './environments/relay.ts';
import { SecretReader } from './environments/secrets.ts';
import { keys } from './table/keys.ts';
import type { SdkClient } from './table/table.ts';

/** The flags table's name and its client. */
export interface FlagsTable {
  readonly client: SdkClient;
  readonly flags: string;
}

/** The flags table, opened for reading. */
export interface FlagReader {
  readonly documents: DocumentReader;
  readonly secrets: SecretReader;
  readonly relays: RelayReader;
  readonly effects: Effects;
  /** Resolves when the table responds. @throws the cause if it does not, after at most `timeoutMs` */
  check(timeoutMs: number): Promise<void>;
  /** Closes the client's sockets. */
  close(): void;
}

/** Opens the flags table for reading. Functions use it so that their bundles contain no code that writes. */
export function openFlagReader({ client, flags }: FlagsTable, effects: Effects = systemEffects): FlagReader {
  const table = { client, name: flags, effects };
  return {
    documents: new DocumentReader(table),
    secrets: new SecretReader(table),
    relays: new RelayReader(table),
    effects,
    check: async (timeoutMs) => {
      const abortSignal = AbortSignal.timeout(timeoutMs);
      await client.send(new GetItemCommand({ TableName: flags, Key: keys.version('-', 0) }), { abortSignal });
    },
    close: () => client.destroy(),
  };
}
