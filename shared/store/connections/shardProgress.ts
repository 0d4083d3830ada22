import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type DeliveryProgress, KEPT_ROUNDS, type ServedRound, type ShardCursor } from './connection.ts';

/**
 * Lifetime of a connection's row, in seconds. API Gateway closes connections after two hours; ten minutes are added.
 */
const LIFETIME_SECONDS = 2 * 3600 + 10 * 60;

/**
 * How far each shard has been served, in one row next to those of its connections. The row expires after its
 * connections have ended. Newer connections were answered with all of its versions.
 */
export class ShardProgress {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Records the version that a shard's connections have. A late writer never sets it back.
   *
   * @param rounds the shard's finished deliveries, ascending. Only the last {@link KEPT_ROUNDS} are kept
   */
  async markServed(envId: string, shard: number, version: number, rounds: readonly ServedRound[] = []): Promise<void> {
    await unlessRefused(
      this.#table.client.send(
        new PutItemCommand({
          TableName: this.#table.name,
          Item: {
            ...keys.cursor(envId, shard),
            servedTo: { N: String(version) },
            ...(rounds.length > 0 && { rounds: roundsValue(rounds) }),
            ...this.#expiry(),
          },
          ConditionExpression: 'attribute_not_exists(servedTo) OR servedTo < :servedTo',
          ExpressionAttributeValues: { ':servedTo': { N: String(version) } },
        }),
      ),
    );
  }

  /** Records how far a delivery has come. A late writer never sets it back. */
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

/** Whether a row of a shard is its progress, not a connection. */
export function isCursor({ sk }: Readonly<Record<string, AttributeValue>>): boolean {
  return sk?.S === keys.cursor('', 0).sk.S;
}

/** Parses the progress row of a shard. */
export function toCursor(item: Readonly<Record<string, AttributeValue>>): ShardCursor {
  const { servedTo, rounds, delivering, servedId, begunId } = item;
  return {
    ...(servedTo ? { servedTo: Number(servedTo.N) } : {}),
    ...(rounds?.S ? { rounds: toRounds(rounds.S) } : {}),
    ...(delivering && servedId?.S && begunId?.S
      ? { progress: { version: Number(delivering.N), servedId: servedId.S, begunId: begunId.S } }
      : {}),
  };
}

/** The attribute with the last deliveries. */
export function roundsValue(rounds: readonly ServedRound[]): AttributeValue {
  return { S: JSON.stringify(rounds.slice(-KEPT_ROUNDS).map(({ version, at, left }) => [version, at, left])) };
}

/** Parses the text of {@link roundsValue}. */
export function toRounds(text: string): ServedRound[] {
  const rounds = JSON.parse(text) as [version: number, at: number, left: number][];
  return rounds.map(([version, at, left]) => ({ version, at, left }));
}

/** Expiry of the row of a connection from this time, in unix seconds. */
export function expiryOf(sinceMs: number): number {
  return Math.floor(sinceMs / 1000) + LIFETIME_SECONDS;
}

/** A write with a condition. @returns undefined if the condition did not hold */
export async function unlessRefused<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return undefined;
  }
}
