import { createHash } from 'node:crypto';

/** Primary key of an item; both tables name its parts `pk` and `sk`. */
export type Key = { pk: { S: string }; sk: { S: string } };

/** Keys of the flags table. An environment's flags, segments and settings share one partition key. */
export const keys = {
  flag: (envId: string, key: string) => of(`ENV#${envId}`, `FLAG#${key}`),
  segment: (envId: string, id: string) => of(`ENV#${envId}`, `SEGMENT#${id}`),
  environment: (envId: string) => of(`ENV#${envId}`, 'META'),
  /** The list of all environments, for operators. */
  environmentIndex: (envId: string) => of('ENVIRONMENTS', envId),
  version: (envId: string, replica: number) => of(`VERSION#${envId}#${replica}`, '-'),
  /** The changes of a transaction, under its last version in digits enough to sort by. */
  journal: (envId: string, updatedAt: number) => of(`JOURNAL#${envId}`, String(updatedAt).padStart(15, '0')),
  /** A compressed snapshot of all documents, in copies: where its chunks are, and the chunks themselves. */
  snapshotPointer: (envId: string, copy: number) => of(`SNAPSHOT#${envId}#${copy}`, 'POINTER'),
  snapshotChunk: (envId: string, copy: number, slot: number, n: number) =>
    of(`SNAPSHOT#${envId}#${copy}`, `${slot}#${String(n).padStart(3, '0')}`),
  /** A change of the past, under its version, as in the journal. */
  history: (envId: string, version: number) => of(`HISTORY#${envId}`, String(version).padStart(15, '0')),
  secret: (hash: string) => of(`SECRET#${hash}`, '-'),
  /** Relays, by their ids. */
  relay: (id: string) => of('RELAYS', id),
  connection: (envId: string, shard: number, connectionId: string) => of(connections(envId, shard), connectionId),
  /** How far a shard's connections have been served. Sorts before every connection id, so one query finds both. */
  cursor: (envId: string, shard: number) => of(connections(envId, shard), '#cursor'),
  /** That a connection waits for an answer, of whatever environment. */
  unanswered: (partition: number, connectionId: string) => of(`UNANSWERED#${partition}`, connectionId),
};

/** Under what a secret is found: its SHA-256, so that the table never holds the secret itself. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** How much of its hash tells a secret apart where it is not to be found by it, as on its connections. */
const SECRET_ID_LENGTH = 16;

/** What a secret's connections are registered with. */
export function secretIdOf(secret: string): string {
  return hashSecret(secret).slice(0, SECRET_ID_LENGTH);
}

/** The same from a partition key of the flags table. @returns undefined when it is not that of a secret */
export function secretIdOfKey(pk: string): string | undefined {
  const [kind, hash] = pk.split('#');
  return kind === 'SECRET' ? hash?.slice(0, SECRET_ID_LENGTH) : undefined;
}

/** The environment id within a partition key of the flags table. */
export function envIdOfKey(pk: string): string {
  return pk.slice(pk.indexOf('#') + 1);
}

function connections(envId: string, shard: number): string {
  return `CONN#${envId}#${shard}`;
}

function of(pk: string, sk: string): Key {
  return { pk: { S: pk }, sk: { S: sk } };
}
