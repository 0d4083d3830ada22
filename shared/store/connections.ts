import { createHash } from 'node:crypto';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
} from '@aws-sdk/client-dynamodb';
import { parseUser, type User, userDocument } from '../flags/user.ts';
import { SECRET_TYPES, type SecretType } from '../protocol/secret.ts';
import { keys } from './keys.ts';
import type { Tables } from './table.ts';

/** Into how many parts an environment's connections are divided; each is served changes on its own, in order. */
export const SHARDS = 16;

/** API Gateway ends a connection after two hours; ten minutes later its row may go. */
const LIFETIME_SECONDS = 2 * 3600 + 10 * 60;

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

/** A connection that has asked for data and so gets changes; answers.ts says how it is told apart what it has. */
export interface Connection extends Registration {
  /** The version up to which it has everything; absent where its answer was not noted. */
  readonly version?: number;
  /**
   * Until then somebody is sending it what it is owed, and nothing may come between, unix milliseconds. Past that time
   * it is owed everything after `version` (absent: everything there is) by whoever finds it so.
   */
  readonly busyUntil?: number;
}

/** A shard's connections and the version up to which they have been served; undefined before the first change. */
export interface Shard {
  readonly servedTo: number | undefined;
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

/**
 * Registers a connection with the user of its newest data-sync: messages of one connection may be handled side by side,
 * and an older one must not win.
 */
export async function registerConnection(tables: Tables, envId: string, registration: Registration): Promise<void> {
  const requestedAt = String(registration.requestedAt);
  await unlessOvertaken(
    tables.client.send(
      new PutItemCommand({
        TableName: tables.connections,
        Item: {
          ...keyOfConnection(envId, registration.id),
          type: { S: registration.type },
          ...(registration.secretId ? { secretId: { S: registration.secretId } } : {}),
          ...(registration.user ? { user: { S: JSON.stringify(userDocument(registration.user)) } } : {}),
          requestedAt: { N: requestedAt },
          registeredAt: { N: String(registration.registeredAt) },
          expiresAt: { N: String(Math.floor(registration.requestedAt / 1000) + LIFETIME_SECONDS) },
        },
        ConditionExpression: 'attribute_not_exists(requestedAt) OR requestedAt <= :requestedAt',
        ExpressionAttributeValues: { ':requestedAt': { N: requestedAt } },
      }),
    ),
  );
}

/** Forgets a connection. */
export async function removeConnection(tables: Tables, envId: string, connectionId: string): Promise<void> {
  await tables.client.send(
    new DeleteItemCommand({ TableName: tables.connections, Key: keyOfConnection(envId, connectionId) }),
  );
}

/** One connection, read with strong consistency. */
export async function findConnection(
  tables: Tables,
  envId: string,
  connectionId: string,
): Promise<Connection | undefined> {
  const { Item } = await tables.client.send(
    new GetItemCommand({
      TableName: tables.connections,
      Key: keyOfConnection(envId, connectionId),
      ConsistentRead: true,
    }),
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

/** The connections of a shard that a secret let in, page by page. */
export async function* connectionsOf(
  tables: Tables,
  envId: string,
  shard: number,
  secretId: string,
): AsyncGenerator<readonly Connection[]> {
  const pages = paginateQuery(
    { client: tables.client },
    {
      TableName: tables.connections,
      KeyConditionExpression: 'pk = :shard',
      FilterExpression: 'secretId = :secret',
      ExpressionAttributeValues: { ':shard': keys.cursor(envId, shard).pk, ':secret': { S: secretId } },
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) yield Items.map(toConnection);
}

/**
 * Notes up to which version a shard's connections have been served; a late writer never takes it back. The note goes
 * when every connection that it was about is over: those that came since were answered with all of it.
 */
export async function markServed(
  tables: Tables,
  envId: string,
  shard: number,
  version: number,
  nowMs: number,
): Promise<void> {
  await unlessOvertaken(
    tables.client.send(
      new PutItemCommand({
        TableName: tables.connections,
        Item: {
          ...keys.cursor(envId, shard),
          servedTo: { N: String(version) },
          expiresAt: { N: String(Math.floor(nowMs / 1000) + LIFETIME_SECONDS) },
        },
        ConditionExpression: 'attribute_not_exists(servedTo) OR servedTo < :servedTo',
        ExpressionAttributeValues: { ':servedTo': { N: String(version) } },
      }),
    ),
  );
}

async function unlessOvertaken(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

function toConnection(item: Readonly<Record<string, AttributeValue>>): Connection {
  const user = item['user']?.S ? parseUser(JSON.parse(item['user'].S)) : undefined;
  return {
    id: item['sk']?.S ?? '',
    type: SECRET_TYPES.find((type) => type === item['type']?.S) ?? 'client',
    ...(item['secretId']?.S ? { secretId: item['secretId'].S } : {}),
    ...(user ? { user } : {}),
    requestedAt: Number(item['requestedAt']?.N ?? 0),
    registeredAt: Number(item['registeredAt']?.N ?? 0),
    ...(item['version'] ? { version: Number(item['version'].N) } : {}),
    ...(item['busyUntil'] ? { busyUntil: Number(item['busyUntil'].N) } : {}),
  };
}
