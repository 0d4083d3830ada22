import { SECRET_TYPES, type SecretType } from '../../protocol/secret.ts';
import { keys } from '../table/keys.ts';
import { onlyAttributes, pagesWithUnits } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { SHARDS } from './connection.ts';

/** The number of connections of an environment, by type. FeatBit's agents count as servers. */
export interface ConnectionCounts extends Readonly<Record<SecretType, number>> {
  /** Whether the count stopped at the requested maximum. */
  readonly isAtLeast: boolean;
  /** Read units used. */
  readonly readUnits: number;
}

/** The number of an environment's connections that lack a sent change, according to their rows. */
export interface LackingConnections {
  /** A push failed. They lack later changes until the next delivery, or until healing answers them. */
  readonly behind: number;
  /** Whether the count stopped at the requested maximum. */
  readonly isAtLeast: boolean;
}

/**
 * Counts connections by type, shard after shard, with eventual consistency. It reads only the type. DynamoDB bills
 * whole items: about 0.04 read units for each connection.
 *
 * @param most maximum to count; the current page is still counted
 */
export async function countByType(table: Table, envId: string, most: number): Promise<ConnectionCounts> {
  const counts = { client: 0, server: 0 };
  let readUnits = 0;
  for await (const { items, units } of rowPages(table, envId, ['type'])) {
    readUnits += units;
    // The row of the shard's progress has no type.
    for (const item of items) {
      const type = SECRET_TYPES.find((known) => known === item['type']?.S);
      if (type) counts[type]++;
    }
    if (counts.client + counts.server >= most) return { ...counts, isAtLeast: true, readUnits };
  }
  return { ...counts, isAtLeast: false, readUnits };
}

/**
 * Counts the connections that lack a change, like {@link countByType}.
 *
 * @param most maximum number of rows to read
 */
export async function countLacking(table: Table, envId: string, most: number): Promise<LackingConnections> {
  let behind = 0;
  let rows = 0;
  for await (const { items } of rowPages(table, envId, ['behind'])) {
    behind += items.filter((item) => item['behind']).length;
    rows += items.length;
    if (rows >= most) return { behind, isAtLeast: true };
  }
  return { behind, isAtLeast: false };
}

/** The rows of an environment's connections, with only these attributes. A full row may contain a user. */
async function* rowPages(table: Table, envId: string, attributes: readonly string[]) {
  for (let shard = 0; shard < SHARDS; shard++) {
    const more = { ConsistentRead: false, ...onlyAttributes(attributes) };
    yield* pagesWithUnits(table, keys.cursor(envId, shard).pk, more);
  }
}
