import { createHash } from 'node:crypto';
import { parseUser, type User } from '../flags/user.ts';
import { SECRET_TYPES, type SecretType } from '../protocol/secret.ts';
import { type Item, numberIn, textIn } from './attributes.ts';
import { type DeliveryState, stateIn } from './deliveryState.ts';
import { keys } from './keys.ts';

/** Into how many parts an environment's connections are divided; each is served changes on its own, in order. */
export const SHARDS = 16;

/** A connection as its newest data-sync registered it. */
export interface Registration {
  readonly id: string;
  readonly type: SecretType;
  /** What let it in (`secretIdOf`); unknown of connections from before that was noted. */
  readonly secretId?: string | undefined;
  /** What its SDK takes in one patch, for the sender that answers it again. */
  readonly patchContents?: string | undefined;
  /** Of an agent's connection: the ids of all its environments with commas between, for the sender that answers it again. */
  readonly relayEnvIds?: string | undefined;
  /** Whom flags are evaluated for; client type only. */
  readonly user?: User;
  /** When API Gateway received that data-sync, unix milliseconds. */
  readonly requestedAt: number;
}

/** A connection that has asked for data and so gets changes. */
export interface Connection extends Registration {
  readonly state: DeliveryState;
  /** The answer that was begun last: what is noted of an earlier one has no effect. */
  readonly answerId: string;
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

/** A connection from its row. */
export function toConnection(item: Item): Connection {
  const requestedAt = numberIn(item, 'requestedAt');
  const document = textIn(item, 'user');
  const user = document ? parseUser(JSON.parse(document)) : undefined;
  const { secretId, patchContents, relayEnvIds } = item;
  return {
    id: textIn(item, 'sk'),
    type: SECRET_TYPES.find((type) => type === textIn(item, 'type')) ?? 'client',
    ...(secretId?.S && { secretId: secretId.S }),
    ...(patchContents?.S && { patchContents: patchContents.S }),
    ...(relayEnvIds?.S && { relayEnvIds: relayEnvIds.S }),
    ...(user ? { user } : {}),
    requestedAt,
    state: stateIn(item),
    answerId: textIn(item, 'answerId'),
    ...(Number(item['firstRequestedAt']?.N ?? requestedAt) < requestedAt ? { hasAskedBefore: true } : {}),
  };
}
