import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { TableAccess } from '../table/tableAccess.ts';
import { putItem, updateItem } from '../table/write.ts';
import { type DeliveryProgress, KEPT_ROUNDS, type ServedRound, type ShardCursor } from './connection.ts';

/**
 * Lifetime of a connection's row, in seconds. API Gateway closes connections after two hours; ten minutes are added.
 */
const LIFETIME_SECONDS = 2 * 3600 + 10 * 60;

/**
 * How far each shard has been served, in one row next to those of its connections. The row expires after its
 * connections have ended. Newer connections were answered with all of its versions.
 */
export class ShardProgress extends TableAccess {
  /**
   * Records the version that a shard's connections have. A late writer never sets it back.
   *
   * @param rounds the shard's finished deliveries, ascending. Only the last {@link KEPT_ROUNDS} are kept
   */
  async markServed(envId: string, shard: number, version: number, rounds: readonly ServedRound[] = []): Promise<void> {
    const row = {
      servedTo: version,
      rounds: rounds.length > 0 ? roundsText(rounds) : undefined,
      expiresAt: expiryOf(this.table.effects.now()),
    };
    const condition = 'attribute_not_exists(servedTo) OR servedTo < :version';
    await putItem(this.table, keys.cursor(envId, shard), row, { condition, values: { version } });
  }

  /** Records how far a delivery has come. A late writer never sets it back. */
  async markProgress(envId: string, shard: number, progress: DeliveryProgress): Promise<void> {
    const { version, servedId, begunId } = progress;
    await updateItem(this.table, keys.cursor(envId, shard), {
      update: 'SET delivering = :version, servedId = :servedId, begunId = :begunId, expiresAt = :expiresAt',
      condition:
        '(attribute_not_exists(servedTo) OR servedTo < :version) AND (attribute_not_exists(delivering) OR ' +
        'delivering < :version OR (delivering = :version AND servedId <= :servedId))',
      values: { version, servedId, begunId, expiresAt: expiryOf(this.table.effects.now()) },
    });
  }
}

/** Whether a row of a shard is its progress, not a connection. */
export function isCursor({ sk }: Item): boolean {
  return sk?.S === keys.cursor('', 0).sk.S;
}

/** Parses the progress row of a shard. @param item absent if nothing was delivered yet */
export function toCursor(item: Item = {}): ShardCursor {
  const { servedTo, rounds, delivering, servedId, begunId } = item;
  return {
    ...(servedTo ? { servedTo: Number(servedTo.N) } : {}),
    ...(rounds?.S ? { rounds: toRounds(rounds.S) } : {}),
    ...(delivering && servedId?.S && begunId?.S
      ? { progress: { version: Number(delivering.N), servedId: servedId.S, begunId: begunId.S } }
      : {}),
  };
}

/** The last deliveries as the text of an attribute. */
export function roundsText(rounds: readonly ServedRound[]): string {
  return JSON.stringify(rounds.slice(-KEPT_ROUNDS).map(({ version, at, left }) => [version, at, left]));
}

/** Parses the text of {@link roundsText}. */
export function toRounds(text: string): ServedRound[] {
  const rounds = JSON.parse(text) as [version: number, at: number, left: number][];
  return rounds.map(([version, at, left]) => ({ version, at, left }));
}

/** Expiry of the row of a connection from this time, in unix seconds. */
export function expiryOf(sinceMs: number): number {
  return Math.floor(sinceMs / 1000) + LIFETIME_SECONDS;
}
