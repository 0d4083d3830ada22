import type { Item } from '../table/attributes.ts';
import { type Condition, IS_NEW } from '../table/itemCondition.ts';
import { keys } from '../table/keys.ts';
import { pagesUnder } from '../table/read.ts';
import { TableAccess } from '../table/tableAccess.ts';
import { deleteItem, putItem, updateItem } from '../table/write.ts';
import { shardOf } from './connection.ts';
import { expiryOf } from './shardProgress.ts';

/** Number of partitions for the notes. Each data-sync writes two notes, and a partition takes 1,000 writes a second. */
export const NOTE_PARTITIONS = 8;

/**
 * How long a note's write or removal may delay a handshake or an answer, in milliseconds. On timeout they continue
 * without it.
 */
const WRITE_TIMEOUT_MS = 1_000;

/** A connection that waits for its answer, since its handshake or its data-sync. */
export interface UnansweredConnection {
  readonly id: string;
  /** When API Gateway received the data-sync, unix milliseconds. */
  readonly since: number;
  /** When a delivery noted it, if long after its data-sync. */
  readonly notedAt?: number;
  /** The connect authorizer's result, as later messages carry it. */
  readonly context: Readonly<Record<string, string | undefined>>;
  /** Claims without success, and the end of the current one in unix milliseconds. Absent before the first. */
  readonly attempts?: number;
  readonly claimedUntil?: number;
}

/** Notes of connections that wait for an answer. They reveal connections whose data-sync never reached a function. */
export class UnansweredNotes extends TableAccess {
  /**
   * Notes that a connection waits. It keeps the note of a later data-sync.
   *
   * @throws on timeout
   */
  async note(unanswered: UnansweredConnection): Promise<void> {
    const { since } = unanswered;
    await this.#put(unanswered, { condition: 'attribute_not_exists(pk) OR since <= :since', values: { since } });
  }

  /** Notes that a connection waits, unless there is a note already. @throws on timeout */
  async noteUnlessNoted(unanswered: UnansweredConnection): Promise<void> {
    await this.#put({ ...unanswered, notedAt: this.table.effects.now() }, IS_NEW);
  }

  async #put({ id, since, context, notedAt }: UnansweredConnection, condition: Condition): Promise<void> {
    // API Gateway adds values that are not strings.
    const texts = Object.entries(context).filter(([, text]) => typeof text === 'string');
    const note = {
      since,
      context: { M: Object.fromEntries(texts.map(([name, S = '']) => [name, { S }])) },
      expiresAt: expiryOf(since),
      notedAt,
    };
    await putItem(this.table, keyOf(id), note, { ...condition, timeoutMs: WRITE_TIMEOUT_MS });
  }

  /** Removes a note. @throws on timeout */
  async remove(id: string): Promise<void> {
    await deleteItem(this.table, keyOf(id), { timeoutMs: WRITE_TIMEOUT_MS });
  }

  /**
   * Removes the note of an answered connection, unless the note is of a later data-sync.
   *
   * @param answeredTo when the newest answered data-sync arrived, unix milliseconds
   * @throws on timeout
   */
  async removeAnswered(id: string, answeredTo: number): Promise<void> {
    const isAnswered = { condition: 'since <= :answeredTo', values: { answeredTo } };
    await deleteItem(this.table, keyOf(id), { ...isAnswered, timeoutMs: WRITE_TIMEOUT_MS });
  }

  /**
   * Claims a connection, so that no other caller answers it.
   *
   * @param now unix milliseconds
   * @returns false if its note is gone, or another caller has claimed it
   */
  claim(id: string, now: number, untilMs: number): Promise<boolean> {
    return updateItem(this.table, keyOf(id), {
      update: 'SET claimedUntil = :until, claimId = :claim ADD attempts :one',
      // A request repeated by DynamoDB's client matches its own claim.
      condition:
        'attribute_exists(pk) AND (attribute_not_exists(claimedUntil) OR claimedUntil <= :now OR claimId = :claim)',
      values: { until: untilMs, now, one: 1, claim: this.table.effects.uuid() },
    });
  }

  /** Does not count the last claim as an attempt. */
  async uncount(id: string): Promise<void> {
    const values = { less: -1, none: 0 };
    await updateItem(this.table, keyOf(id), { update: 'ADD attempts :less', condition: 'attempts > :none', values });
  }

  /** The waiting connections. @param limit maximum, spread evenly over the partitions */
  async load(limit: number): Promise<readonly UnansweredConnection[]> {
    const partitions = Array.from({ length: NOTE_PARTITIONS }, (_, n) =>
      this.#loadPartition(n, limit / NOTE_PARTITIONS),
    );
    return (await Promise.all(partitions)).flat();
  }

  async #loadPartition(partition: number, limit: number): Promise<UnansweredConnection[]> {
    const found: UnansweredConnection[] = [];
    for await (const items of pagesUnder(this.table, keys.unanswered(partition, '').pk)) {
      found.push(...items.map(toUnanswered));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }
}

function keyOf(id: string) {
  return keys.unanswered(shardOf(id) % NOTE_PARTITIONS, id);
}

function toUnanswered(item: Item): UnansweredConnection {
  const { sk, since, context, attempts, claimedUntil, notedAt } = item;
  const texts = Object.entries(context?.M ?? {}).map(([name, { S = '' }]) => [name, S]);
  return {
    id: sk?.S ?? '',
    since: Number(since?.N ?? 0),
    context: Object.fromEntries(texts),
    ...(notedAt ? { notedAt: Number(notedAt.N) } : {}),
    ...(attempts ? { attempts: Number(attempts.N) } : {}),
    ...(claimedUntil ? { claimedUntil: Number(claimedUntil.N) } : {}),
  };
}
