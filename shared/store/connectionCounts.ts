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

/**
 * Counts by reading each connection's type and nothing else of it, shard after shard, eventually consistent. The units it takes are
 * those of whole items, about 0.04 a connection.
 *
 * @param most after so many it ends, having read the page
 */
export async function countByType({ client, name }: Table, envId: string, most: number): Promise<ConnectionCounts> {
  const counts = { client: 0, server: 0 };
  let readUnits = 0;
  for (let shard = 0; shard < SHARDS; shard++) {
    const query: QueryCommandInput = {
      TableName: name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.cursor(envId, shard).pk },
      Select: 'SPECIFIC_ATTRIBUTES',
      ProjectionExpression: '#type',
      ExpressionAttributeNames: { '#type': 'type' },
      ReturnConsumedCapacity: 'TOTAL',
    };
    for await (const { Items = [], ConsumedCapacity } of paginateQuery({ client }, query)) {
      readUnits += ConsumedCapacity?.CapacityUnits ?? 0;
      // The shard's cursor has no type.
      for (const item of Items) {
        const type = SECRET_TYPES.find((known) => known === item['type']?.S);
        if (type) counts[type]++;
      }
      if (counts.client + counts.server >= most) return { ...counts, isAtLeast: true, readUnits };
    }
  }
  return { ...counts, isAtLeast: false, readUnits };
}
