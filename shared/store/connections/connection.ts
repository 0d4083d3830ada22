import { createHash } from 'node:crypto';
import { parseUser, type User } from '../../flags/user.ts';
import { SECRET_TYPES, type SecretType } from '../../protocol/secret.ts';
import { type Item, numberIn, textIn } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { type DeliveryState, stateIn } from './deliveryState.ts';

/** Number of shards of an environment's connections. Each shard receives changes independently, in order. */
export const SHARDS = 16;

/** Number of finished deliveries that a shard's progress row keeps, for receipts. The row stays below one write unit. */
export const KEPT_ROUNDS = 16;

/** A connection as its newest data-sync registered it. */
export interface Registration {
  readonly id: string;
  readonly type: SecretType;
  /** The id of its secret (`secretIdOf`). Unknown for connections older than this field. */
  readonly secretId?: string | undefined;
  /** The patch format that its SDK accepts. Senders that answer it later need it. */
  readonly patchContents?: string | undefined;
  /**
   * For an agent's connection: the ids of all its environments, separated by commas. Senders that answer it later need
   * them.
   */
  readonly relayEnvIds?: string | undefined;
  /** The user that flags are evaluated for. Client type only. */
  readonly user?: User;
  /** When API Gateway received the data-sync, unix milliseconds. */
  readonly requestedAt: number;
}

/** A connection that has asked for data and so receives changes. */
export interface Connection extends Registration {
  readonly state: DeliveryState;
  /** The id of the latest answer. Updates from earlier answers have no effect. */
  readonly answerId: string;
  /** Whether it asked before. Pushes for that request, perhaps for another user, may still arrive. */
  readonly hasAskedBefore?: boolean;
}

/** An unfinished delivery to a shard's connections. They are served ascending by id. */
export interface DeliveryProgress {
  /** The version that it delivers. */
  readonly version: number;
  /** Connections up to this id have that version, except those that are behind. */
  readonly servedId: string;
  /** Connections after `servedId` and up to this id may have that version. Later ones do not. Never before `servedId`. */
  readonly begunId: string;
}

/** A finished delivery to a shard. */
export interface ServedRound {
  readonly version: number;
  /** When its last message was sent, unix milliseconds. 0 if unknown. */
  readonly at: number;
  /** Maximum number of connections that it left to their own answers, or to healing. */
  readonly left: number;
}

/** How far a shard's connections have been served. */
export interface ShardCursor {
  /** The version that all of them have. Undefined before the first change. */
  readonly servedTo?: number;
  /** The last {@link KEPT_ROUNDS} deliveries, ascending. Undefined before the first one. */
  readonly rounds?: readonly ServedRound[];
  /** The delivery of a later version, if one has begun. */
  readonly progress?: DeliveryProgress;
}

/** A shard: its progress, and its connections ascending by id. */
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
