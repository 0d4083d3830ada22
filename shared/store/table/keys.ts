import { createHash } from 'node:crypto';

/** Primary key of an item. All tables name its parts `pk` and `sk`. */
export type Key = { pk: { S: string }; sk: { S: string } };

/** Keys of the flags table. An environment's flags, segments and settings share one partition key. */
export const keys = {
  flag: (envId: string, key: string) => of(`ENV#${envId}`, `FLAG#${key}`),
  segment: (envId: string, id: string) => of(`ENV#${envId}`, `SEGMENT#${id}`),
  environment: (envId: string) => of(`ENV#${envId}`, 'META'),
  /** The list of all environments, for operators. */
  environmentIndex: (envId: string) => of('ENVIRONMENTS', envId),
  /** Counts changes of the names of environments. */
  environmentNames: () => of('ENV#', 'NAMES'),
  version: (envId: string, replica: number) => of(`VERSION#${envId}#${replica}`, '-'),
  /** The last version of a deleted environment. */
  lastVersion: (envId: string) => of(`VERSION#${envId}#0`, 'LAST'),
  /** The changes of a transaction. The sort key is its last version, padded with zeros. */
  journal: (envId: string, updatedAt: number) => of(`JOURNAL#${envId}`, sortable(updatedAt)),
  /** A compressed snapshot of all documents, in copies: a pointer to its chunks, and the chunks. */
  snapshotPointer: (envId: string, copy: number) => of(`SNAPSHOT#${envId}#${copy}`, 'POINTER'),
  snapshotChunk: (envId: string, copy: number, slot: number, n: number) =>
    of(`SNAPSHOT#${envId}#${copy}`, `${slot}#${String(n).padStart(3, '0')}`),
  /** A past change. The sort key is its version, as in the journal. */
  history: (envId: string, version: number) => of(`HISTORY#${envId}`, sortable(version)),
  /** A plan of changes to a flag or segment, by its id. */
  plan: (envId: string, id: string) => of(`PLAN#${envId}`, id),
  /** Counts the plans that were created. It sorts before every plan. */
  planCounter: (envId: string) => of(`PLAN#${envId}`, '#'),
  /** The next step of a plan, by its time. One partition for all environments. */
  due: (at: number, envId: string, planId: string) => of('DUE', `${sortable(at)}#${envId}#${planId}`),
  /** An environment that may have open plans. */
  planned: (envId: string) => of('GUARD#', envId),
  /** The key from which the secrets of an environment's webhooks are derived. */
  hook: (envId: string) => of(`HOOK#${envId}`, '-'),
  secret: (hash: string) => of(`SECRET#${hash}`, '-'),
  /** Relays by id. */
  relay: (id: string) => of('RELAYS', id),
  /** The version of the service that runs on the table. */
  service: () => of('SERVICE', '-'),
  /** The names of the other tables of the service. */
  serviceTables: () => of('SERVICE', 'TABLES'),
  /** The functions of a stack that evaluate flags without counts. */
  uncounted: (stack: string) => of('SERVICE', `UNCOUNTED#${stack}`),
  connection: (envId: string, shard: number, connectionId: string) => of(connections(envId, shard), connectionId),
  /** A shard's progress. It sorts before every connection id, so one query finds both. */
  cursor: (envId: string, shard: number) => of(connections(envId, shard), '#cursor'),
  /** A note that a connection of any environment waits for an answer. */
  unanswered: (partition: number, connectionId: string) => of(`UNANSWERED#${partition}`, connectionId),
};

/** The key of the next pass of a revocation, by its time. One partition for all environments. */
export function dueRevocationKey(at: number, envId: string, secretId: string): Key {
  return of('REVOCATIONS', `${sortable(at)}#${envId}#${secretId}`);
}

/** Keys of hosts. Apart from {@link keys}, so that bundles of functions do not contain them. */
export const hostKeys = {
  /** A host that serves connections which it cannot report, in the flags table. */
  note: (hostId: string) => of('HOSTS', hostId),
  /** What a host reports of its connections. */
  report: (envId: string, hostId: string) => of(`HOST#${envId}`, hostId),
};

/** The tier of a service with a front door, in the flags table. */
export const tierKey: Key = of('TIER', '-');

/** The health of the machine behind a front door, in the flags table. */
export const machineHealthKey: Key = of('TIER', 'HEALTH');

/** The heartbeat of the host behind a front door, in the flags table. */
export const heartbeatKey: Key = of('HEARTBEAT', '-');

/** Keys of the usage table. */
export const usageKeys = {
  /** Evaluations of a flag in an hour, `2026-11-26T03`. */
  ofFlag: (envId: string, flagKey: string, hour: string) => of(`USAGE#${envId}#${flagKey}`, hour),
  /** Evaluations of unknown flags and variations in an hour, and lost counts. */
  ofUnknown: (envId: string, hour: string) => of(`USAGE#${envId}`, hour),
  /** When the first evaluation of an environment was counted. It sorts after every hour. */
  start: (envId: string) => of(`USAGE#${envId}`, 'START'),
};

/** Patterns of the partition keys of one environment, for policies: what a reader of its flags reads. */
export function keysOfReader(envId: string): string[] {
  return [`ENV#${envId}`, `VERSION#${envId}#*`, `JOURNAL#${envId}`, `SNAPSHOT#${envId}#*`];
}

/** The same for the usage table: what a counter of evaluations writes. */
export function keysOfCounter(envId: string): string[] {
  return [`USAGE#${envId}`, `USAGE#${envId}#*`];
}

/** The key of a secret: its SHA-256, so that the table never holds the secret itself. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Length of the hash prefix that identifies a secret on its connections. */
const SECRET_ID_LENGTH = 16;

/** The id of a secret on its connections. */
export function secretIdOf(secret: string): string {
  return hashSecret(secret).slice(0, SECRET_ID_LENGTH);
}

/** The id of a secret from a partition key of the flags table. @returns undefined for any other partition key */
export function secretIdOfKey(pk: string): string | undefined {
  const [kind, hash] = pk.split('#');
  return kind === 'SECRET' ? hash?.slice(0, SECRET_ID_LENGTH) : undefined;
}

/** The environment id in a partition key of the flags table. */
export function envIdOfKey(pk: string): string {
  return pk.slice(pk.indexOf('#') + 1);
}

function connections(envId: string, shard: number): string {
  return `CONN#${envId}#${shard}`;
}

/** A time or version as a sort key in its order. */
function sortable(at: number): string {
  return String(at).padStart(15, '0');
}

function of(pk: string, sk: string): Key {
  return { pk: { S: pk }, sk: { S: sk } };
}
