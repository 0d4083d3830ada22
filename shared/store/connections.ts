import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { userDocument } from '../flags/user.ts';
import {
  type Connection,
  keyOfConnection,
  type Registered,
  type Registration,
  type Shard,
  toConnection,
} from './connection.ts';
import { DeliveryMarks } from './deliveryMarks.ts';
import { type Effects, systemEffects } from './effects.ts';
import { keys } from './keys.ts';
import { pagesUnder, readItem } from './read.ts';

/** The connections table by its name, and the client that reaches it. */
export interface ConnectionsTable {
  readonly client: DynamoDBClient;
  readonly connections: string;
}

/** API Gateway ends a connection after two hours; ten minutes later its row may go. */
const LIFETIME_SECONDS = 2 * 3600 + 10 * 60;

/** The connections that get changes, by environment and shard, and how far each is served. */
export class Connections extends DeliveryMarks {
  /**
   * Registers a connection with the user of its newest data-sync: messages of one connection may be handled side by side,
   * and an older one must not win.
   */
  async register(envId: string, registration: Registration): Promise<Registered> {
    const { user, type, secretId, requestedAt, registeredAt } = registration;
    const number = (value: number): AttributeValue => ({ N: String(value) });
    const set = {
      type: { S: type },
      ...(secretId ? { secretId: { S: secretId } } : {}),
      ...(user ? { user: { S: JSON.stringify(userDocument(user)) } } : {}),
      requestedAt: number(requestedAt),
      registeredAt: number(registeredAt),
      expiresAt: number(expiryOf(requestedAt)),
    };
    const names = Object.keys(set);
    const answer = await unlessRefused(
      this.table.client.send(
        new UpdateItemCommand({
          TableName: this.table.name,
          Key: keyOfConnection(envId, registration.id),
          UpdateExpression:
            `SET ${names.map((name) => `#${name} = :${name}`)}, firstRequestedAt = if_not_exists(firstRequestedAt, :requestedAt) ` +
            'REMOVE version, busyUntil, leftAt, repeatAfter',
          ConditionExpression: 'attribute_not_exists(requestedAt) OR requestedAt <= :requestedAt',
          ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
          ExpressionAttributeValues: Object.fromEntries(
            Object.entries(set).map(([name, value]) => [`:${name}`, value]),
          ),
          ReturnValues: 'ALL_OLD',
        }),
      ),
    );
    return {
      isNewest: answer !== undefined,
      ...(answer?.Attributes ? { before: toConnection(answer.Attributes) } : {}),
    };
  }

  /** Forgets a connection. */
  async remove(envId: string, connectionId: string): Promise<void> {
    await this.table.client.send(
      new DeleteItemCommand({ TableName: this.table.name, Key: keyOfConnection(envId, connectionId) }),
    );
  }

  /** One connection, read with strong consistency. */
  async find(envId: string, connectionId: string): Promise<Connection | undefined> {
    const item = await readItem(this.table, keyOfConnection(envId, connectionId));
    return item && toConnection(item);
  }

  /** A shard's connections, read with strong consistency. */
  async loadShard(envId: string, shard: number): Promise<Shard> {
    let servedTo: number | undefined;
    const connections: Connection[] = [];
    for await (const items of pagesUnder(this.table, keys.cursor(envId, shard).pk)) {
      for (const item of items) {
        if (item['servedTo']) servedTo = Number(item['servedTo'].N);
        else connections.push(toConnection(item));
      }
    }
    return { servedTo, connections };
  }

  /** The connections of a shard that a secret let in, page by page. */
  async *openedBy(envId: string, shard: number, secretId: string): AsyncGenerator<readonly Connection[]> {
    const pages = pagesUnder(this.table, keys.cursor(envId, shard).pk, {
      FilterExpression: 'secretId = :secret',
      ExpressionAttributeValues: { ':secret': { S: secretId } },
    });
    for await (const items of pages) yield items.map(toConnection);
  }

  /**
   * Notes up to which version a shard's connections have been served; a late writer never takes it back. The note goes
   * when every connection that it was about is over: those that came since were answered with all of it.
   */
  async markServed(envId: string, shard: number, version: number): Promise<void> {
    await unlessRefused(
      this.table.client.send(
        new PutItemCommand({
          TableName: this.table.name,
          Item: {
            ...keys.cursor(envId, shard),
            servedTo: { N: String(version) },
            expiresAt: { N: String(expiryOf(this.table.effects.now())) },
          },
          ConditionExpression: 'attribute_not_exists(servedTo) OR servedTo < :servedTo',
          ExpressionAttributeValues: { ':servedTo': { N: String(version) } },
        }),
      ),
    );
  }
}

/** Opens the connections table. */
export function openConnections(
  { client, connections }: ConnectionsTable,
  effects: Effects = systemEffects,
): Connections {
  return new Connections({ client, name: connections, effects });
}

/** Unix seconds, for the table's time to live. */
function expiryOf(sinceMs: number): number {
  return Math.floor(sinceMs / 1000) + LIFETIME_SECONDS;
}

/** A write whose condition may not hold. @returns undefined when it did not */
async function unlessRefused<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return undefined;
  }
}
