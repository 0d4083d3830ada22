import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { numberIn, textIn } from '../table/attributes.ts';
import { type Key, usageKeys } from '../table/keys.ts';
import { itemsUnder, readItem, sortKeysBetween } from '../table/read.ts';
import { TableAccess } from '../table/tableAccess.ts';
import type { ReadTable } from '../table/tableRequests.ts';

/** Days that counts are kept. */
export const USAGE_DAYS = 92;

/** Maximum time of one write, in milliseconds. */
const WRITE_TIMEOUT_MS = 1_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Evaluations in an hour. */
export interface UsageHour {
  /** UTC, such as `2026-11-26T03`. */
  readonly hour: string;
  /** By variation id. {@link NO_VARIATION} for a flag without one. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Counted in place of a variation's id if the flag served none, such as an archived flag. */
export const NO_VARIATION = '';

/** What is counted of an environment beside its flags. */
export const UNKNOWN = 'unknown';
export const DROPPED = 'dropped';

/** The hour of a time. @param at unix milliseconds */
export function hourOf(at: number): string {
  return new Date(at).toISOString().slice(0, 13);
}

/**
 * The usage table: evaluations per environment, flag, variation and hour. For {@link Usage.add}, the client of the table must not repeat
 * requests: a repeated request could be counted twice.
 */
export class Usage extends TableAccess<ReadTable> {
  /**
   * Adds counts to an item, as one write. After an error, the counts may or may not be added.
   *
   * @param key of `usageKeys.ofFlag` or `usageKeys.ofUnknown`
   */
  async add(key: Key, counts: ReadonlyMap<string, number>): Promise<void> {
    const entries = [...counts];
    const expiresAt = Math.floor((Date.parse(`${key.sk.S}:00Z`) + HOUR_MS + USAGE_DAYS * DAY_MS) / 1_000);
    await this.#update(key, {
      UpdateExpression: `SET expiresAt = :at ADD ${entries.map((_, n) => `#${n} :${n}`).join()}`,
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name], n) => [`#${n}`, `${PREFIX}${name}`])),
      ExpressionAttributeValues: {
        ':at': { N: String(expiresAt) },
        ...Object.fromEntries(entries.map(([, count], n) => [`:${n}`, { N: String(count) }])),
      },
    });
  }

  /** Records that the counts of an environment start now, unless they have started before. */
  async start(envId: string): Promise<void> {
    await this.#update(usageKeys.start(envId), {
      UpdateExpression: 'SET startedAt = if_not_exists(startedAt, :at)',
      ExpressionAttributeValues: { ':at': { N: String(this.table.effects.now()) } },
    });
  }

  /** When the counts of an environment started, in unix milliseconds. @returns undefined if nothing was counted */
  async startedAt(envId: string): Promise<number | undefined> {
    const item = await readItem(this.table, usageKeys.start(envId), { ConsistentRead: false });
    return item && numberIn(item, 'startedAt');
  }

  /**
   * The hours in which a flag was evaluated, newest first, page by page.
   *
   * @param flagKey undefined for unknown flags and variations ({@link UNKNOWN}) and lost counts ({@link DROPPED})
   * @param from unix milliseconds
   */
  async *hours(envId: string, flagKey: string | undefined, from: number): AsyncGenerator<UsageHour> {
    const first = hourOf(from);
    const { pk, sk } =
      flagKey === undefined ? usageKeys.ofUnknown(envId, first) : usageKeys.ofFlag(envId, flagKey, first);
    const items = itemsUnder(this.table, pk, {
      ...sortKeysBetween(sk, { S: '9' }),
      ScanIndexForward: false,
      ConsistentRead: false,
      Limit: PAGE,
    });
    for await (const item of items) {
      const names = Object.keys(item).filter((name) => name.startsWith(PREFIX));
      const counts = new Map(names.map((name) => [name.slice(PREFIX.length), numberIn(item, name)]));
      yield { hour: textIn(item, 'sk'), counts };
    }
  }

  async #update(Key: Key, expression: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>) {
    const { client, name: TableName, effects } = this.table;
    await client.updateItem({ TableName, Key, ...expression }, effects.timeout(WRITE_TIMEOUT_MS));
  }
}

/** Before the names of counters, so that no id of a variation is the name of another attribute. */
const PREFIX = 'n#';

/** Hours in one request: a week. */
const PAGE = 168;
