import { afterAll, jest } from '@jest/globals';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { openConnections } from '../../../shared/store/connections/connections.ts';
import { openStore } from '../../../shared/store/store.ts';
import { readServiceTables } from '../../../shared/store/table/serviceTables.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { conformanceCases } from '../conformance/cases/all.ts';
import { REMOTE_TARGET, type RemoteTarget } from './access.ts';

jest.setTimeout(120_000);

const { streamingUrl, httpUrl, flagsTable, environments } = JSON.parse(
  process.env[REMOTE_TARGET] ?? '{}',
) as RemoteTarget;
const client = createDynamoDb();
const tables = { flags: flagsTable };
const store = openStore({ client, ...tables });

afterAll(() => store.close());

const names = await readServiceTables({ client, name: flagsTable, effects: systemEffects });
const receipts = names && { receipts: openConnections({ client, connections: names.connections }) };

conformanceCases(() => ({ streamingUrl, httpUrl, store, tables, environments, ...receipts }), {
  receipts: receipts !== undefined,
  // It counts more evaluations in a second than a deployment does by default.
  usage: false,
});
