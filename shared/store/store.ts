import { type Effects, systemEffects } from '../runtime/effects.ts';
import { type Connections, type ConnectionsTable, openConnections } from './connections/connections.ts';
import { HostNotes } from './connections/hostNotes.ts';
import type { Documents } from './documents/write.ts';
import { readHistoryDays } from './environments/environment.ts';
import { Environments } from './environments/environments.ts';
import { Relays } from './environments/issueRelays.ts';
import { Secrets } from './environments/issueSecrets.ts';
import { History } from './history/history.ts';
import { MachineRecords } from './machineRecords.ts';
import { PlanEndingDocuments } from './plans/plannedDocuments.ts';
import { Plans } from './plans/plans.ts';
import { type FlagReader, type FlagsTable, openFlagReader } from './reader.ts';
import type { Author } from './table/author.ts';
import type { Table } from './table/table.ts';
import { Tiers } from './tiers.ts';

/** The flags table, opened for reading and writing. */
export interface FlagStore extends FlagReader {
  readonly environments: Environments;
  readonly documents: Documents;
  readonly history: History;
  readonly hosts: HostNotes;
  readonly plans: Plans;
  readonly secrets: Secrets;
  readonly relays: Relays;
  readonly tiers: Tiers;
  readonly machine: MachineRecords;
}

/** Both tables, opened for reading and writing. */
export interface Store extends FlagStore {
  readonly connections: Connections;
}

/**
 * Opens the flags table, and the connections table if it is named.
 *
 * @param author who writes, for the history
 * @param effects clock, randomness and timers of the store; by default this machine's
 */
export function openStore(tables: FlagsTable & ConnectionsTable, effects?: Effects): Store;
export function openStore(tables: FlagsTable, effects?: Effects, author?: () => Promise<Author>): FlagStore;
export function openStore(
  tables: FlagsTable & Partial<ConnectionsTable>,
  effects: Effects = systemEffects,
  author?: () => Promise<Author>,
): FlagStore & Partial<Store> {
  const { client, flags, connections } = tables;
  const unsigned: Table = { client, name: flags, effects };
  const table = author ? { ...unsigned, author: signedBy(unsigned, author) } : unsigned;
  return {
    ...openFlagReader(tables, effects),
    environments: new Environments(table),
    documents: new PlanEndingDocuments(table),
    history: new History(table),
    hosts: new HostNotes(table),
    plans: new Plans(table),
    secrets: new Secrets(table),
    relays: new Relays(table),
    tiers: new Tiers(table),
    machine: new MachineRecords(table),
    ...(connections === undefined ? {} : { connections: openConnections({ client, connections }, effects) }),
  };
}

function signedBy(table: Table, author: () => Promise<Author>): NonNullable<Table['author']> {
  return async (envId) => ({ ...(await author()), keepDays: await readHistoryDays(table, envId) });
}
