import { paginateQuery, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { SECRET_TYPES, type SecretType } from '../protocol/secret.ts';
import { SHARDS } from './connection.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

/** How many connections an environment has, of each type; FeatBit's agents are servers here. */
export interface ConnectionCounts extends Readonly<Record<SecretType, number>> {
  /** The count ended at the most that was asked for. */
  readonly isAtLeast: boolean;
  /** What it took of the table. */
  readonly readUnits: number;
}

/** How many connections of an environment lack something that was sent, as far as their rows say. */
export interface LackingConnections {
  /** A push did not reach them: they lack what came after it until the next delivery, or until they are healed. */
  readonly behind: number;
  /** An item of their environment fits no message, so they get nothing. */
  readonly unanswerable: number;
  /** The count ended at the most that was asked for. */
  readonly isAtLeast: boolean;
}

/**
 * Counts by reading each connection's type and nothing else of it, shard after shard, eventually consistent. The units it takes are
 * those of whole items, about 0.04 a connection.
 *
 * @param most after so many it ends, having read the page
 */
export async function countByType(table: Table, envId: string, most: number): Promise<ConnectionCounts> {
  const counts = { client: 0, server: 0 };
  let readUnits = 0;
  for await (const { items, units } of rowPages(table, envId, ['type'])) {
    readUnits += units;
    // The shard's cursor has no type.
    for (const item of items) {
      const type = SECRET_TYPES.find((known) => known === item['type']?.S);
      if (type) counts[type]++;
    }
    if (counts.client + counts.server >= most) return { ...counts, isAtLeast: true, readUnits };
  }
  return { ...counts, isAtLeast: false, readUnits };
}

/**
 * Counts the connections that lack something, as {@link countByType} counts all.
 *
 * @param most after looking at so many rows it ends
 */
export async function countLacking(table: Table, envId: string, most: number): Promise<LackingConnections> {
  const counts = { behind: 0, unanswerable: 0 };
  let rows = 0;
  for await (const { items } of rowPages(table, envId, ['behind', 'unanswerable'])) {
    for (const item of items) {
      if (item['unanswerable']) counts.unanswerable++;
      else if (item['behind']) counts.behind++;
    }
    rows += items.length;
    if (rows >= most) return { ...counts, isAtLeast: true };
  }
  return { ...counts, isAtLeast: false };
}

/** The rows of an environment's connections, shard after shard, with these attributes and nothing else: a row may name a user. */
async function* rowPages({ client, name }: Table, envId: string, attributes: readonly string[]) {
  for (let shard = 0; shard < SHARDS; shard++) {
    const query: QueryCommandInput = {
      TableName: name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.cursor(envId, shard).pk },
      Select: 'SPECIFIC_ATTRIBUTES',
      ProjectionExpression: attributes.map((each) => `#${each}`).join(', '),
      ExpressionAttributeNames: Object.fromEntries(attributes.map((each) => [`#${each}`, each])),
      ReturnConsumedCapacity: 'TOTAL',
    };
    for await (const { Items: items = [], ConsumedCapacity } of paginateQuery({ client }, query)) {
      yield { items, units: ConsumedCapacity?.CapacityUnits ?? 0 };
    }
  }
}
