import { DeleteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { SECRET_TYPES, type SecretType } from '../../protocol/secret.ts';
import { type Effects, systemEffects } from '../../runtime/effects.ts';
import { keys } from '../table/keys.ts';
import { onlyAttributes, pagesUnder, readItem, readItems, sortKeysBetween } from '../table/read.ts';
import type { SdkClient, Table } from '../table/table.ts';
import { type Connection, keyOfConnection, SHARDS, type Shard, toConnection } from './connection.ts';
import { DeliveryStates } from './deliveryStates.ts';
import { isCursor, ShardProgress, toCursor } from './shardProgress.ts';
import { UnansweredNotes } from './unanswered.ts';

/** The connections table's name and its client. */
export interface ConnectionsTable {
  readonly client: SdkClient;
  readonly connections: string;
}

/** The number of connections of an environment, by type. FeatBit's agents count as servers. */
interface ConnectionCounts extends Readonly<Record<SecretType, number>> {
  /** Whether the count stopped at the requested maximum. */
  readonly isAtLeast: boolean;
}

/** The connections that receive changes, by environment and shard: their state, progress and open requests. */
export class Connections {
  readonly table: Table;
  /** Who may send to each connection, and what it has received. */
  readonly states: DeliveryStates;
  /** How far each shard has been served. */
  readonly shards: ShardProgress;
  /** The connections that wait for an answer. */
  readonly unanswered: UnansweredNotes;

  constructor(table: Table) {
    this.table = table;
    this.states = new DeliveryStates(table);
    this.shards = new ShardProgress(table);
    this.unanswered = new UnansweredNotes(table);
  }

  /** Deletes a connection's row. @returns the deleted row; undefined if there was none */
  async remove(envId: string, connectionId: string): Promise<Connection | undefined> {
    const Key = keyOfConnection(envId, connectionId);
    const command = new DeleteItemCommand({ TableName: this.table.name, Key, ReturnValues: 'ALL_OLD' });
    const { Attributes } = await this.table.client.send(command);
    return Attributes && toConnection(Attributes);
  }

  /** Reads one connection with strong consistency. */
  async find(envId: string, connectionId: string): Promise<Connection | undefined> {
    const item = await readItem(this.table, keyOfConnection(envId, connectionId));
    return item && toConnection(item);
  }

  /** Reads a shard with strong consistency. */
  async loadShard(envId: string, shard: number): Promise<Shard> {
    const items = await readItems(this.table, keys.cursor(envId, shard).pk);
    const connections = items.filter((item) => !isCursor(item)).map(toConnection);
    return { ...toCursor(items.find(isCursor)), connections };
  }

  /** Reads the connections of a shard between two ids, both included, with strong consistency. */
  async loadBetween(envId: string, shard: number, firstId: string, lastId: string): Promise<readonly Connection[]> {
    const between = sortKeysBetween({ S: firstId }, { S: lastId });
    return (await readItems(this.table, keys.cursor(envId, shard).pk, between)).map(toConnection);
  }

  /**
   * The shards of an environment that have connections, read with strong consistency. A connection that registers later
   * is answered with everything written before.
   */
  async occupiedShards(envId: string): Promise<readonly number[]> {
    const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
    const isOccupied = await Promise.all(shards.map((shard) => this.#isOccupied(envId, shard)));
    return shards.filter((shard) => isOccupied[shard]);
  }

  async #isOccupied(envId: string, shard: number): Promise<boolean> {
    const { pk, sk } = keys.cursor(envId, shard);
    const query = new QueryCommand({
      TableName: this.table.name,
      KeyConditionExpression: 'pk = :pk AND sk > :cursor',
      ExpressionAttributeValues: { ':pk': pk, ':cursor': sk },
      ConsistentRead: true,
      Select: 'COUNT',
      Limit: 1,
    });
    return ((await this.table.client.send(query)).Count ?? 0) > 0;
  }

  /**
   * Counts connections by type, shard after shard, with eventual consistency. It reads only the type. DynamoDB bills
   * whole items: about 0.04 read units for each connection.
   *
   * @param most maximum to count; the current page is still counted
   */
  async countByType(envId: string, most: number): Promise<ConnectionCounts> {
    const counts = { client: 0, server: 0 };
    const more = { ConsistentRead: false, ...onlyAttributes(['type']) };
    for (let shard = 0; shard < SHARDS; shard++) {
      for await (const items of pagesUnder(this.table, keys.cursor(envId, shard).pk, more)) {
        // The row of the shard's progress has no type.
        for (const item of items) {
          const type = SECRET_TYPES.find((known) => known === item['type']?.S);
          if (type) counts[type]++;
        }
        if (counts.client + counts.server >= most) return { ...counts, isAtLeast: true };
      }
    }
    return { ...counts, isAtLeast: false };
  }

  /** The connections of a shard that use a secret, page by page. */
  async *openedBy(envId: string, shard: number, secretId: string): AsyncGenerator<readonly Connection[]> {
    const pages = pagesUnder(this.table, keys.cursor(envId, shard).pk, {
      FilterExpression: 'secretId = :secret',
      ExpressionAttributeValues: { ':secret': { S: secretId } },
    });
    for await (const items of pages) yield items.map(toConnection);
  }
}

/** Opens the connections table. */
export function openConnections(
  { client, connections }: ConnectionsTable,
  effects: Effects = systemEffects,
): Connections {
  return new Connections({ client, name: connections, effects });
}
