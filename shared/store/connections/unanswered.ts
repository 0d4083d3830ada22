import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  type QueryCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { keys } from '../table/keys.ts';
import { pagesUnder } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { shardOf } from './connection.ts';
import { expiryOf, unlessRefused } from './shardProgress.ts';

/** Number of partitions for the notes. Each data-sync writes two notes, and a partition takes 1,000 writes a second. */
export const NOTE_PARTITIONS = 8;

/**
 * How long a note's write or removal may delay a handshake or an answer, in milliseconds. On timeout they continue
 * without it.
 */
const WRITE_TIMEOUT_MS = 1_000;

/** Condition: the note is not of a loop. Earlier versions store that in the context. */
const IS_NO_LOOP = 'attribute_not_exists(isLoop) AND attribute_not_exists(#context.isLoop)';
const NAMES = { '#context': 'context' };

/** A connection that waits for its answer, since its handshake or its data-sync. */
export interface UnansweredConnection {
  readonly id: string;
  /** When API Gateway received the data-sync, unix milliseconds. */
  readonly since: number;
  /** When a delivery noted it, if long after its data-sync. */
  readonly notedAt?: number;
  /** The connect authorizer's result, as later messages carry it. */
  readonly context: Readonly<Record<string, string | undefined>>;
  /** Whether it asks in a loop, so that healing closes it. */
  readonly isLoop?: boolean;
  /** Claims without success, and the end of the current one in unix milliseconds. Absent before the first. */
  readonly attempts?: number;
  readonly claimedUntil?: number;
}

/** The number of connections that have waited too long. */
interface OverdueCount {
  readonly count: number;
  /** The count ended at a limit: there may be more. */
  readonly isAtLeast: boolean;
}

/** Notes of connections that wait for an answer. They reveal connections whose data-sync never reached a function. */
export class UnansweredNotes {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Notes that a connection waits. It keeps the note of a later data-sync or of a loop.
   *
   * @throws on timeout
   */
  async note(unanswered: UnansweredConnection): Promise<void> {
    await this.#put(unanswered, {
      ConditionExpression: `attribute_not_exists(pk) OR (since <= :since AND ${IS_NO_LOOP})`,
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: { ':since': { N: String(unanswered.since) } },
    });
  }

  /** Notes that a connection waits, unless there is a note already. @throws on timeout */
  async noteUnlessNoted(unanswered: UnansweredConnection): Promise<void> {
    const notedAt = this.#table.effects.now();
    await this.#put({ ...unanswered, notedAt }, { ConditionExpression: 'attribute_not_exists(pk)' });
  }

  async #put(
    { id, since, context, notedAt, isLoop }: UnansweredConnection,
    condition: Partial<PutItemCommandInput>,
  ): Promise<void> {
    // API Gateway adds values that are not strings.
    const texts = Object.entries(context).filter(([, text]) => typeof text === 'string');
    const Item = {
      ...keyOf(id),
      since: { N: String(since) },
      context: { M: Object.fromEntries(texts.map(([name, S = '']) => [name, { S }])) },
      expiresAt: { N: String(expiryOf(since)) },
      ...(notedAt !== undefined && { notedAt: { N: String(notedAt) } }),
      ...(isLoop && { isLoop: { BOOL: true } }),
    };
    const command = new PutItemCommand({ TableName: this.#table.name, Item, ...condition });
    await unlessRefused(this.#table.client.send(command, this.#soon()));
  }

  /** Removes a note. @throws on timeout */
  async remove(id: string): Promise<void> {
    const command = new DeleteItemCommand({ TableName: this.#table.name, Key: keyOf(id) });
    await this.#table.client.send(command, this.#soon());
  }

  /**
   * Removes the note of an answered connection, unless the note is of a later data-sync or a loop.
   *
   * @param answeredTo when the newest answered data-sync arrived, unix milliseconds
   * @throws on timeout
   */
  async removeAnswered(id: string, answeredTo: number): Promise<void> {
    const command = new DeleteItemCommand({
      TableName: this.#table.name,
      Key: keyOf(id),
      ConditionExpression: `since <= :to AND ${IS_NO_LOOP}`,
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: { ':to': { N: String(answeredTo) } },
    });
    await unlessRefused(this.#table.client.send(command, this.#soon()));
  }

  /**
   * Claims a connection, so that no other caller answers it.
   *
   * @param now unix milliseconds
   * @returns false if its note is gone, or another caller has claimed it
   */
  async claim(id: string, now: number, untilMs: number): Promise<boolean> {
    const claimed = await unlessRefused(
      this.#table.client.send(
        new UpdateItemCommand({
          TableName: this.#table.name,
          Key: keyOf(id),
          UpdateExpression: 'SET claimedUntil = :until, claimId = :claim ADD attempts :one',
          // A request repeated by DynamoDB's client matches its own claim.
          ConditionExpression:
            'attribute_exists(pk) AND (attribute_not_exists(claimedUntil) OR claimedUntil <= :now OR claimId = :claim)',
          ExpressionAttributeValues: {
            ':until': { N: String(untilMs) },
            ':now': { N: String(now) },
            ':one': { N: '1' },
            ':claim': { S: this.#table.effects.uuid() },
          },
        }),
      ),
    );
    return claimed !== undefined;
  }

  /** Does not count the last claim as an attempt. */
  async uncount(id: string): Promise<void> {
    await unlessRefused(
      this.#table.client.send(
        new UpdateItemCommand({
          TableName: this.#table.name,
          Key: keyOf(id),
          UpdateExpression: 'ADD attempts :one',
          ConditionExpression: 'attempts > :none',
          ExpressionAttributeValues: { ':one': { N: '-1' }, ':none': { N: '0' } },
        }),
      ),
    );
  }

  /** The waiting connections. @param limit maximum, spread evenly over the partitions */
  async load(limit: number): Promise<readonly UnansweredConnection[]> {
    const partitions = Array.from({ length: NOTE_PARTITIONS }, (_, n) =>
      this.#loadPartition(n, limit / NOTE_PARTITIONS),
    );
    return (await Promise.all(partitions)).flat();
  }

  /**
   * The number of an environment's connections that have waited since before a time. Notes are not stored by environment. If
   * there are more than `most`, the environment may have more connections that wait.
   *
   * @param before unix milliseconds
   * @param most maximum number of notes to read, of all environments
   */
  async countOverdue(envId: string, before: number, most: number): Promise<OverdueCount> {
    const attributes = {
      Select: 'SPECIFIC_ATTRIBUTES',
      ProjectionExpression: 'since, notedAt, #context',
      ExpressionAttributeNames: NAMES,
      ConsistentRead: false,
    } as const;
    const share = most / NOTE_PARTITIONS;
    const partitions = await Promise.all(
      Array.from({ length: NOTE_PARTITIONS }, (_, n) => this.#loadPartition(n, share, attributes)),
    );
    const isOverdue = (note: UnansweredConnection) => isOf(note, envId) && (note.notedAt ?? note.since) < before;
    return {
      count: partitions.flat().filter(isOverdue).length,
      isAtLeast: partitions.some(({ length }) => length >= Math.floor(share)),
    };
  }

  async #loadPartition(
    partition: number,
    limit: number,
    attributes: Partial<QueryCommandInput> = {},
  ): Promise<UnansweredConnection[]> {
    const found: UnansweredConnection[] = [];
    for await (const items of pagesUnder(this.#table, keys.unanswered(partition, '').pk, attributes)) {
      found.push(...items.map(toUnanswered));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }

  #soon() {
    return { abortSignal: this.#table.effects.timeout(WRITE_TIMEOUT_MS) };
  }
}

function keyOf(id: string) {
  return keys.unanswered(shardOf(id) % NOTE_PARTITIONS, id);
}

/** An agent's connection has several environments. */
function isOf({ context }: UnansweredConnection, envId: string): boolean {
  return context['envId'] === envId || (context['envIds']?.split(',').includes(envId) ?? false);
}

function toUnanswered(item: Readonly<Record<string, AttributeValue>>): UnansweredConnection {
  const { sk, since, context, attempts, claimedUntil, notedAt, isLoop } = item;
  const texts = Object.entries(context?.M ?? {}).map(([name, { S = '' }]) => [name, S]);
  return {
    id: sk?.S ?? '',
    since: Number(since?.N ?? 0),
    context: Object.fromEntries(texts),
    ...(notedAt ? { notedAt: Number(notedAt.N) } : {}),
    ...(isLoop || context?.M?.['isLoop'] ? { isLoop: true } : {}),
    ...(attempts ? { attempts: Number(attempts.N) } : {}),
    ...(claimedUntil ? { claimedUntil: Number(claimedUntil.N) } : {}),
  };
}
