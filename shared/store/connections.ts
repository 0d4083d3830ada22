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

/** A connection that has asked for data and so gets changes; answers.ts says how it is told apart what it has. */
export interface Connection extends Registration {
  /** The version up to which it has everything; absent where its answer was not noted. */
  readonly version?: number;
  /**
   * Until then somebody is sending it what it is owed, and nothing may come between, unix milliseconds. Past that time
   * it is owed everything after `version` (absent: everything there is) by whoever finds it so.
   */
  readonly busyUntil?: number;
  /** Whether it has asked before, perhaps for another user, to whom pushes may still be on their way. */
  readonly hasAskedBefore?: boolean;
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
export async function registerConnection(
  tables: Tables,
  envId: string,
  registration: Registration,
): Promise<Registered> {
  const { user, type, secretId, requestedAt, registeredAt } = registration;
  const number = (value: number): AttributeValue => ({ N: String(value) });
  const set = {
    type: { S: type },
    ...(secretId ? { secretId: { S: secretId } } : {}),
    ...(user ? { user: { S: JSON.stringify(userDocument(user)) } } : {}),
    requestedAt: number(requestedAt),
    registeredAt: number(registeredAt),
    expiresAt: number(Math.floor(requestedAt / 1000) + LIFETIME_SECONDS),
  };
  const names = Object.keys(set);
  const answer = await unlessOvertaken(
    tables.client.send(
      new UpdateItemCommand({
        TableName: tables.connections,
        Key: keyOfConnection(envId, registration.id),
        UpdateExpression:
          `SET ${names.map((name) => `#${name} = :${name}`)}, firstRequestedAt = if_not_exists(firstRequestedAt, :requestedAt) ` +
          'REMOVE version, busyUntil, leftAt, repeatAfter',
        ConditionExpression: 'attribute_not_exists(requestedAt) OR requestedAt <= :requestedAt',
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
        ReturnValues: 'ALL_OLD',
      }),
    ),
  );
  return { isNewest: answer !== undefined, ...(answer?.Attributes ? { before: toConnection(answer.Attributes) } : {}) };
}

/** Whether two looks at a connection saw one registration: it has not asked again in between. */
export function isSameRegistration(a: Registration, b: Registration): boolean {
  return a.requestedAt === b.requestedAt && a.registeredAt === b.registeredAt;
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

async function unlessOvertaken<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return undefined;
  }
}

function toConnection(item: Readonly<Record<string, AttributeValue>>): Connection {
  const requestedAt = Number(item['requestedAt']?.N ?? 0);
  const user = item['user']?.S ? parseUser(JSON.parse(item['user'].S)) : undefined;
  return {
    id: item['sk']?.S ?? '',
    type: SECRET_TYPES.find((type) => type === item['type']?.S) ?? 'client',
    ...(item['secretId']?.S ? { secretId: item['secretId'].S } : {}),
    ...(user ? { user } : {}),
    requestedAt,
    registeredAt: Number(item['registeredAt']?.N ?? 0),
    ...(item['version'] ? { version: Number(item['version'].N) } : {}),
    ...(item['busyUntil'] ? { busyUntil: Number(item['busyUntil'].N) } : {}),
    ...(Number(item['firstRequestedAt']?.N ?? requestedAt) < requestedAt ? { hasAskedBefore: true } : {}),
  };
}
