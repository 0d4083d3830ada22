import { createHash } from 'node:crypto';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { parseUser, type User, userDocument } from '../flags/user.ts';
import { SECRET_TYPES, type SecretType } from '../protocol/secret.ts';
import { keys } from './keys.ts';
import type { Tables } from './table.ts';

/** Into how many parts an environment's connections are divided; each is served changes on its own, in order. */
export const SHARDS = 16;

/** API Gateway ends a connection after two hours; ten minutes later its row may go. */
const LIFETIME_SECONDS = 2 * 3600 + 10 * 60;

/**
 * A change written within this time before a data-sync may still be on its way to connections, so the version that the
 * answer held is noted then. A connection without a noted version was answered when nothing had changed for this long.
 */
const IN_FLIGHT_MS = 10_000;

/** A data-sync of a connection. */
export interface ConnectionRequest {
  readonly id: string;
  readonly type: SecretType;
  /** Whom flags are evaluated for; client type only. */
  readonly user?: User;
  /** When API Gateway received its last data-sync, unix milliseconds. */
  readonly requestedAt: number;
}

/** A connection that has asked for data and so gets changes. */
export interface Connection extends ConnectionRequest {
  /** The environment's version it was answered with; unknown unless something changed about that time. */
  readonly version?: number;
  /** It is being sent a reply in several messages: nothing may come between them. */
  readonly isReceiving: boolean;
}

/** A shard's connections and the version up to which they have been served; undefined before the first change. */
export interface Shard {
  readonly servedTo: number | undefined;
  readonly connections: readonly Connection[];
}

/** Whether a version was written so shortly before a data-sync that its answer must be noted. */
export function isInFlight(writtenAt: number, request: ConnectionRequest): boolean {
  return writtenAt > request.requestedAt - IN_FLIGHT_MS;
}

/** Whether the answer to a connection's data-sync held an item already, so that it must not be pushed again. */
export function wasAnsweredWith(
  connection: Connection,
  item: { readonly updatedAt: number; readonly writtenAt: number },
): boolean {
  return connection.version === undefined
    ? !isInFlight(item.writtenAt, connection)
    : item.updatedAt <= connection.version;
}

/** The shard a connection belongs to. */
export function shardOf(connectionId: string): number {
  return createHash('md5').update(connectionId).digest().readUInt16LE(0) % SHARDS;
}

/**
 * Registers a connection with the user of its newest data-sync: messages of one connection may be handled side by side,
 * and an older one must not win.
 */
export async function registerConnection(tables: Tables, envId: string, connection: ConnectionRequest): Promise<void> {
  const requestedAt = String(connection.requestedAt);
  await whenStillCurrent(
    tables.client.send(
      new PutItemCommand({
        TableName: tables.connections,
        Item: {
          ...keyOf(envId, connection.id),
          type: { S: connection.type },
          ...(connection.user ? { user: { S: JSON.stringify(userDocument(connection.user)) } } : {}),
          requestedAt: { N: requestedAt },
          expiresAt: { N: String(Math.floor(connection.requestedAt / 1000) + LIFETIME_SECONDS) },
        },
        ConditionExpression: 'attribute_not_exists(requestedAt) OR requestedAt <= :requestedAt',
        ExpressionAttributeValues: { ':requestedAt': { N: requestedAt } },
      }),
    ),
  );
}

/** Notes that a connection is being sent a reply in several messages. */
export async function markReceiving(tables: Tables, envId: string, connection: ConnectionRequest): Promise<void> {
  await update(tables, envId, connection, 'SET isReceiving = :true', { ':true': { BOOL: true } });
}

/** Notes the version a connection was answered with, and that changes after it may now be sent. */
export async function markAnswered(
  tables: Tables,
  envId: string,
  connection: ConnectionRequest,
  version: number,
): Promise<void> {
  await update(tables, envId, connection, 'SET version = :version REMOVE isReceiving', {
    ':version': { N: String(version) },
  });
}

/** Forgets a connection. */
export async function removeConnection(tables: Tables, envId: string, connectionId: string): Promise<void> {
  await tables.client.send(new DeleteItemCommand({ TableName: tables.connections, Key: keyOf(envId, connectionId) }));
}

/** One connection, read with strong consistency. */
export async function findConnection(
  tables: Tables,
  envId: string,
  connectionId: string,
): Promise<Connection | undefined> {
  const { Item } = await tables.client.send(
    new GetItemCommand({ TableName: tables.connections, Key: keyOf(envId, connectionId), ConsistentRead: true }),
  );
  return Item && toConnection(Item);
}

/** A shard's connections, read with strong consistency. */
export async function loadShard(tables: Tables, envId: string, shard: number): Promise<Shard> {
  let servedTo: number | undefined;
  const connections: Connection[] = [];
  const pages = paginateQuery(
    { client: tables.client },
    {
      TableName: tables.connections,
      KeyConditionExpression: 'pk = :shard',
      ExpressionAttributeValues: { ':shard': keys.cursor(envId, shard).pk },
      ConsistentRead: true,
    },
  );
  for await (const page of pages) {
    for (const item of page.Items ?? []) {
      if (item['servedTo']) servedTo = Number(item['servedTo'].N);
      else connections.push(toConnection(item));
    }
  }
  return { servedTo, connections };
}

/** Notes up to which version a shard's connections have been served. */
export async function markServed(tables: Tables, envId: string, shard: number, version: number): Promise<void> {
  await tables.client.send(
    new PutItemCommand({
      TableName: tables.connections,
      Item: { ...keys.cursor(envId, shard), servedTo: { N: String(version) } },
    }),
  );
}

function update(
  tables: Tables,
  envId: string,
  connection: ConnectionRequest,
  UpdateExpression: string,
  values: Record<string, AttributeValue>,
): Promise<void> {
  return whenStillCurrent(
    tables.client.send(
      new UpdateItemCommand({
        TableName: tables.connections,
        Key: keyOf(envId, connection.id),
        UpdateExpression,
        ConditionExpression: 'requestedAt = :requestedAt',
        ExpressionAttributeValues: { ...values, ':requestedAt': { N: String(connection.requestedAt) } },
      }),
    ),
  );
}

/** A connection that has asked again meanwhile, or is gone, is no longer this request's to describe. */
async function whenStillCurrent(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

function keyOf(envId: string, connectionId: string) {
  return keys.connection(envId, shardOf(connectionId), connectionId);
}

function toConnection(item: Readonly<Record<string, AttributeValue>>): Connection {
  const user = item['user']?.S ? parseUser(JSON.parse(item['user'].S)) : undefined;
  return {
    id: item['sk']?.S ?? '',
    type: SECRET_TYPES.find((type) => type === item['type']?.S) ?? 'client',
    ...(user ? { user } : {}),
    requestedAt: Number(item['requestedAt']?.N ?? 0),
    ...(item['version'] ? { version: Number(item['version'].N) } : {}),
    isReceiving: item['isReceiving']?.BOOL ?? false,
  };
}
