import { randomUUID } from 'node:crypto';
import type { Answer } from '../answer.ts';
import type { Connection, Registration } from '../connection.ts';
import type { Connections } from '../connections.ts';

/** Begins the answer to a data-sync. @throws when it was not begun */
export async function beginAnswer(
  { states }: Pick<Connections, 'states'>,
  envId: string,
  registration: Registration,
  leaseMs = 30_000,
): Promise<Answer> {
  const begun = await states.begin(envId, registration, { answerId: randomUUID(), leaseMs });
  if (begun.kind !== 'begun') throw new Error(`the data-sync of ${registration.id} was ${begun.kind}`);
  return begun.answer;
}

/** Connects as somebody who was answered with a version. @returns the connection as it is in the table */
export async function connect(
  connections: Pick<Connections, 'states' | 'find'>,
  envId: string,
  registration: Registration,
  version = 0,
): Promise<Connection> {
  await connections.states.finish(await beginAnswer(connections, envId, registration), version);
  return (await connections.find(envId, registration.id)) as Connection;
}
