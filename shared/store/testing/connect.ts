import { randomUUID } from 'node:crypto';
import type { Connection, Registration } from '../connections/connection.ts';
import type { Connections } from '../connections/connections.ts';
import type { HeldLease } from '../connections/lease.ts';

/** Begins the answer to a data-sync. @throws if it did not begin */
export async function beginAnswer(
  { states }: Pick<Connections, 'states'>,
  envId: string,
  registration: Registration,
  leaseMs = 30_000,
): Promise<HeldLease> {
  const begun = await states.begin(envId, registration, { answerId: randomUUID(), leaseMs });
  if (begun.kind !== 'begun') throw new Error(`the data-sync of ${registration.id} was ${begun.kind}`);
  return begun.lease;
}

/** Connects and answers with a version. @returns the connection as stored in the table */
export async function connect(
  connections: Pick<Connections, 'states' | 'find'>,
  envId: string,
  registration: Registration,
  version = 0,
): Promise<Connection> {
  await connections.states.finish(await beginAnswer(connections, envId, registration), version);
  return (await connections.find(envId, registration.id)) as Connection;
}
