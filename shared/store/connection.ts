import { createHash } from 'node:crypto';
import { parseUser, type User } from '../flags/user.ts';
import { SECRET_TYPES, type SecretType } from '../protocol/secret.ts';
import { type Item, numberIn, textIn } from './attributes.ts';
import { keys } from './keys.ts';

/** Into how many parts an environment's connections are divided; each is served changes on its own, in order. */
export const SHARDS = 16;

/** A connection as its last data-sync registered it. */
export interface Registration {
  readonly id: string;
  readonly type: SecretType;
  /** What let it in (`secretIdOf`); unknown of connections from before that was noted. */
  readonly secretId?: string | undefined;
  /** Whom flags are evaluated for; client type only. */
  readonly user?: User;
  /** When API Gateway received that data-sync, unix milliseconds. */
  readonly requestedAt: number;
  /** When it was registered, by the clock of whoever answers it; the environment is read after that. */
  readonly registeredAt: number;
}

/** What a registration met. */
export interface Registered {
  /** False where a newer data-sync of the connection was registered before: then nothing is changed. */
  readonly isNewest: boolean;
  /** The connection as it was before. */
  readonly before?: Connection;
}

/** A connection that has asked for data and so gets changes; deliveryState.ts says how it is told apart what it has. */
export interface Connection extends Registration {
  /** The version up to which it has everything; absent before it is answered, and where that was not noted. */
  readonly version?: number;
  /**
   * Until then somebody is answering it or sending what it is owed, and nothing may come between, unix milliseconds. Past that time
   * it is owed everything after `version` (absent: everything there is) by whoever finds it so.
   */
  readonly busyUntil?: number;
  /** Whether it has asked before, perhaps for another user, to whom pushes may still be on their way. */
  readonly hasAskedBefore?: boolean;
}

/** A delivery to a shard's connections, ascending by id, that has not come to its end. */
export interface DeliveryProgress {
  /** What it delivers. */
  readonly version: number;
  /** The connections up to this id have that version, but for those that are behind. */
  readonly servedId: string;
  /** Those after it up to this one, which is not before it, may have that version; all others do not. */
  readonly begunId: string;
}

/** How far a shard's connections have been served. */
export interface ShardCursor {
  /** The version that all of them have; undefined before the first change. */
  readonly servedTo?: number;
  /** The delivery of a later version, where one was begun. */
  readonly progress?: DeliveryProgress;
}

/** A shard: how far it has been served, and its connections, ascending by id. */
export interface Shard extends ShardCursor {
  readonly connections: readonly Connection[];
}

/** The shard a connection belongs to. */
export function shardOf(connectionId: string): number {
  return createHash('md5').update(connectionId).digest().readUInt16LE(0) % SHARDS;
}

/** The key of a connection's row. */
export function keyOfConnection(envId: string, connectionId: string) {
  return keys.connection(envId, shardOf(connectionId), connectionId);
}

/** Whether two looks at a connection saw one registration: it has not asked again in between. */
export function isSameRegistration(a: Registration, b: Registration): boolean {
  return a.requestedAt === b.requestedAt && a.registeredAt === b.registeredAt;
}

/** A connection from its row. */
export function toConnection(item: Item): Connection {
  const requestedAt = numberIn(item, 'requestedAt');
  const document = textIn(item, 'user');
  const user = document ? parseUser(JSON.parse(document)) : undefined;
  const secretId = textIn(item, 'secretId');
  return {
    id: textIn(item, 'sk'),
    type: SECRET_TYPES.find((type) => type === textIn(item, 'type')) ?? 'client',
    ...(secretId ? { secretId } : {}),
    ...(user ? { user } : {}),
    requestedAt,
    registeredAt: numberIn(item, 'registeredAt'),
    ...(item['version'] ? { version: Number(item['version'].N) } : {}),
    ...(item['busyUntil'] ? { busyUntil: Number(item['busyUntil'].N) } : {}),
    ...(Number(item['firstRequestedAt']?.N ?? requestedAt) < requestedAt ? { hasAskedBefore: true } : {}),
  };
}
