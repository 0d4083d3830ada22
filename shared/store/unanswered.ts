import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  type QueryCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { shardOf } from './connection.ts';
import { keys } from './keys.ts';
import { pagesUnder } from './read.ts';
import { expiryOf, unlessRefused } from './shardProgress.ts';
import type { Table } from './table.ts';

/** Into how many parts the notes are divided: each data-sync writes two, and a partition takes 1,000 writes a second. */
export const NOTE_PARTITIONS = 8;

/** How long writing or removing a note may hold up a handshake or an answer, which go on without it. */
const WRITE_TIMEOUT_MS = 1_000;

/** A connection that has come, or has asked, and waits for its answer. */
export interface Unanswered {
  readonly id: string;
  /** When its data-sync came, by API Gateway's clock, unix milliseconds. */
  readonly since: number;
  /** When a delivery noted it, where that was long after its data-sync. */
  readonly notedAt?: number;
  /** What the connect authorizer found out about it, as later messages carry it. */
  readonly context: Readonly<Record<string, string | undefined>>;
  /** How often it was claimed in vain, and until when it is, unix milliseconds; absent before the first time. */
  readonly attempts?: number;
  readonly claimedUntil?: number;
}

/** How many connections wait for too long. */
interface OverdueCount {
  readonly count: number;
  /** The count ended at a limit: there may be more. */
  readonly isAtLeast: boolean;
}

/** Notes of connections that wait for an answer: what tells of those whose data-sync never came to a function. */
export class UnansweredNotes {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Notes that a connection waits. The note of a later data-sync stays, and so does that of a loop.
   *
   * @throws when that takes too long
   */
  async note(unanswered: Unanswered): Promise<void> {
    await this.#put(unanswered, {
      ConditionExpression: 'attribute_not_exists(pk) OR (since <= :since AND attribute_not_exists(#context.isLoop))',
      ExpressionAttributeNames: { '#context': 'context' },
      ExpressionAttributeValues: { ':since': { N: String(unanswered.since) } },
    });
  }

  /** Notes that a connection waits, unless it is noted already. @throws when that takes too long */
  async noteUnlessNoted(unanswered: Unanswered): Promise<void> {
    const notedAt = this.#table.effects.now();
    await this.#put({ ...unanswered, notedAt }, { ConditionExpression: 'attribute_not_exists(pk)' });
  }

  async #put({ id, since, context, notedAt }: Unanswered, condition: Partial<PutItemCommandInput>): Promise<void> {
    // API Gateway adds what is no text.
    const texts = Object.entries(context).filter(([, text]) => typeof text === 'string');
    const Item = {
      ...keyOf(id),
      since: { N: String(since) },
      context: { M: Object.fromEntries(texts.map(([name, S = '']) => [name, { S }])) },
      expiresAt: { N: String(expiryOf(since)) },
      ...(notedAt !== undefined && { notedAt: { N: String(notedAt) } }),
    };
    const command = new PutItemCommand({ TableName: this.#table.name, Item, ...condition });
    await unlessRefused(this.#table.client.send(command, this.#soon()));
  }

  /** Removes a note. @throws when that takes too long */
  async remove(id: string): Promise<void> {
    const command = new DeleteItemCommand({ TableName: this.#table.name, Key: keyOf(id) });
    await this.#table.client.send(command, this.#soon());
  }

  /**
   * Removes the note of a connection that was answered, unless it is of a later data-sync, or of a loop.
   *
   * @param answeredTo when the newest data-sync came that was answered, unix milliseconds
   * @throws when that takes too long
   */
  async removeAnswered(id: string, answeredTo: number): Promise<void> {
    const command = new DeleteItemCommand({
      TableName: this.#table.name,
      Key: keyOf(id),
      ConditionExpression: 'since <= :to AND attribute_not_exists(#context.isLoop)',
      ExpressionAttributeNames: { '#context': 'context' },
      ExpressionAttributeValues: { ':to': { N: String(answeredTo) } },
    });
    await unlessRefused(this.#table.client.send(command, this.#soon()));
  }

  /**
   * Takes a connection on, so that nobody else does.
   *
   * @param now unix milliseconds
   * @returns false where its note is gone, or somebody has taken it on
   */
  async claim(id: string, now: number, untilMs: number): Promise<boolean> {
    const claimed = await unlessRefused(
      this.#table.client.send(
        new UpdateItemCommand({
          TableName: this.#table.name,
          Key: keyOf(id),
          UpdateExpression: 'SET claimedUntil = :until, claimId = :claim ADD attempts :one',
          // A request that DynamoDB's client repeats meets its own claim.
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

  /** Does not count the last claim: it was not in vain, or cost nothing. */
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

  /** Those who wait. @param limit how many at most, about as many of each partition */
  async load(limit: number): Promise<readonly Unanswered[]> {
    const partitions = Array.from({ length: NOTE_PARTITIONS }, (_, n) =>
      this.#loadPartition(n, limit / NOTE_PARTITIONS),
    );
    return (await Promise.all(partitions)).flat();
  }

  /**
   * How many connections of an environment wait since before a time. It reads no more of a note than that takes. Notes are not
   * kept by environment: if there are more than are looked at, there may be more of this one.
   *
   * @param before unix milliseconds
   * @param most notes that are looked at, of all environments
   */
  async countOverdue(envId: string, before: number, most: number): Promise<OverdueCount> {
    const attributes = {
      Select: 'SPECIFIC_ATTRIBUTES',
      ProjectionExpression: 'since, notedAt, #context',
      ExpressionAttributeNames: { '#context': 'context' },
      ConsistentRead: false,
    } as const;
    const share = most / NOTE_PARTITIONS;
    const partitions = await Promise.all(
      Array.from({ length: NOTE_PARTITIONS }, (_, n) => this.#loadPartition(n, share, attributes)),
    );
    const isOverdue = (note: Unanswered) => isOf(note, envId) && (note.notedAt ?? note.since) < before;
    return {
      count: partitions.flat().filter(isOverdue).length,
      isAtLeast: partitions.some(({ length }) => length >= Math.floor(share)),
    };
  }

  async #loadPartition(
    partition: number,
    limit: number,
    attributes: Partial<QueryCommandInput> = {},
  ): Promise<Unanswered[]> {
    const found: Unanswered[] = [];
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

/** An agent's connection is of several environments. */
function isOf({ context }: Unanswered, envId: string): boolean {
  return context['envId'] === envId || (context['envIds']?.split(',').includes(envId) ?? false);
}

function toUnanswered(item: Readonly<Record<string, AttributeValue>>): Unanswered {
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
