import {
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Effects } from '../../runtime/effects.ts';
import { retry } from '../../runtime/retry.ts';
import type { Item } from './attributes.ts';
import { Conflict, Throttled } from './errors.ts';
import { conditionOf, IS_NEW } from './itemCondition.ts';
import type { Table } from './table.ts';

/** Maximum number of attempts when other writers interfere. */
const ATTEMPTS = 12;
const LONGEST_PAUSE_MS = 1_000;

/** DynamoDB's cancellation reasons after which another attempt may succeed. The SDK retries none of them. */
const REASONS: Readonly<Record<string, 'overtaken' | 'busy'>> = {
  ConditionalCheckFailed: 'overtaken',
  TransactionConflict: 'overtaken',
  ThrottlingError: 'busy',
  ProvisionedThroughputExceeded: 'busy',
};

/** Nothing was written. Read and try again. */
class TransactionCancelled extends Error {
  readonly reason: 'overtaken' | 'busy';

  constructor(reason: 'overtaken' | 'busy', cause: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/**
 * Sends one transaction. @throws {TransactionCancelled} if a condition failed, another transaction interfered, or it
 * was throttled
 */
export async function sendTransaction(table: Table, actions: readonly TransactWriteItem[]): Promise<void> {
  try {
    await table.client.send(new TransactWriteItemsCommand({ TransactItems: [...actions] }));
  } catch (error) {
    const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
    const known = reasons.flatMap(({ Code }) => REASONS[Code ?? ''] ?? []);
    if (known.length === 0) throw error;
    throw new TransactionCancelled(known.includes('overtaken') ? 'overtaken' : 'busy', error);
  }
}

/** The write of an item that counts its changes. It fails unless the stored one has this revision. 0: there must be none */
export function putAfter({ name: TableName }: Table, revision: number, Item: Item): TransactWriteItem {
  const condition = revision === 0 ? IS_NEW : { condition: 'revision = :revision', values: { revision } };
  return { Put: { TableName, Item, ...conditionOf(condition) } };
}

/**
 * Repeats a read-then-write step until its transactions succeed, with growing, random pauses.
 *
 * @throws {Conflict} if other writers interfered each time, {Throttled} if the last attempt was throttled; nothing of
 *   the last transaction was written
 */
export async function retryWhenCancelled<T>(effects: Effects, step: () => Promise<T>): Promise<T> {
  try {
    return await retry(effects, step, {
      pauseMs: (attempt) =>
        attempt < ATTEMPTS ? effects.random() * Math.min(LONGEST_PAUSE_MS, 10 * 2 ** attempt) : undefined,
      isTemporary: (error) => error instanceof TransactionCancelled,
    });
  } catch (error) {
    throw error instanceof TransactionCancelled ? givenUp(error) : error;
  }
}

function givenUp({ reason, cause }: TransactionCancelled): Error {
  return reason === 'busy'
    ? new Throttled(`the table was too busy (${ATTEMPTS} attempts); try again later`, { cause })
    : new Conflict(`others kept writing to the same environment (${ATTEMPTS} attempts); try again`, { cause });
}
