import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DeliveryProgress, ShardCursor } from './connection.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

/** API Gateway ends a connection after two hours; ten minutes later its row may go. */
const LIFETIME_SECONDS = 2 * 3600 + 10 * 60;

/**
 * How far each shard was served, in one row next to those of its connections. It expires when every connection that it
 * was about has ended: those that came since were answered with all of it.
 */
export class ShardProgress {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Notes up to which version a shard's connections have been served; a late writer never takes it back. */
  async markServed(envId: string, shard: number, version: number): Promise<void> {
    await unlessRefused(
      this.#table.client.send(
        new PutItemCommand({
          TableName: this.#table.name,
          Item: { ...keys.cursor(envId, shard), servedTo: { N: String(version) }, ...this.#expiry() },
          ConditionExpression: 'attribute_not_exists(servedTo) OR servedTo < :servedTo',
          ExpressionAttributeValues: { ':servedTo': { N: String(version) } },
        }),
      ),
    );
  }

  /** Notes how far a delivery has come; a late writer takes nothing back. */
  async markProgress(envId: string, shard: number, progress: DeliveryProgress): Promise<void> {
    const { version, servedId, begunId } = progress;
    const { expiresAt } = this.#expiry();
    await unlessRefused(
      this.#table.client.send(
        new UpdateItemCommand({
          TableName: this.#table.name,
          Key: keys.cursor(envId, shard),
          UpdateExpression: 'SET delivering = :version, servedId = :served, begunId = :begun, expiresAt = :expiresAt',
          ConditionExpression:
            '(attribute_not_exists(servedTo) OR servedTo < :version) AND (attribute_not_exists(delivering) OR ' +
            'delivering < :version OR (delivering = :version AND servedId <= :served))',
          ExpressionAttributeValues: {
            ':version': { N: String(version) },
            ':served': { S: servedId },
            ':begun': { S: begunId },
            ':expiresAt': expiresAt,
          },
        }),
      ),
    );
  }

  #expiry() {
    return { expiresAt: { N: String(expiryOf(this.#table.effects.now())) } };
  }
}

/** Whether a row under a shard's key is not that of a connection. */
export function isCursor({ sk }: Readonly<Record<string, AttributeValue>>): boolean {
  return sk?.S === keys.cursor('', 0).sk.S;
}

/** What is noted of a shard, from its row. */
export function toCursor(item: Readonly<Record<string, AttributeValue>>): ShardCursor {
  const { servedTo, delivering, servedId, begunId } = item;
  return {
    ...(servedTo ? { servedTo: Number(servedTo.N) } : {}),
    ...(delivering && servedId?.S && begunId?.S
      ? { progress: { version: Number(delivering.N), servedId: servedId.S, begunId: begunId.S } }
      : {}),
  };
}

/** When a row may go that was made for a connection of this time, in unix seconds. */
export function expiryOf(sinceMs: number): number {
  return Math.floor(sinceMs / 1000) + LIFETIME_SECONDS;
}

/** A write whose condition may not hold. @returns undefined when it did not */
export async function unlessRefused<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return undefined;
  }
}
