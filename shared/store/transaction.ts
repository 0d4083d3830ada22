import {
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Effects } from '../runtime/effects.ts';
import { retry } from '../runtime/retry.ts';
import { Conflict, Throttled } from './errors.ts';
import type { Table } from './table.ts';

/** Attempts before a writer that others keep overtaking gives up. */
const ATTEMPTS = 12;
const LONGEST_PAUSE_MS = 1_000;

/** Why DynamoDB cancels what may go through when it is planned anew. The SDK itself tries none of them again. */
const REASONS: Readonly<Record<string, 'overtaken' | 'busy'>> = {
  ConditionalCheckFailed: 'overtaken',
  TransactionConflict: 'overtaken',
  ThrottlingError: 'busy',
  ProvisionedThroughputExceeded: 'busy',
};

/** Nothing was written: read again, and try again. */
class TransactionCancelled extends Error {
  readonly reason: 'overtaken' | 'busy';

  constructor(reason: 'overtaken' | 'busy', cause: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** Sends one transaction. @throws {TransactionCancelled} when a condition failed, another one was in the way, or it was throttled */
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

/**
 * Runs a read-then-write step again until its transactions go through, pausing a random, growing while in between.
 *
 * @throws {Conflict} when it was overtaken every time, {Throttled} when it was throttled at last; nothing of the last
 *   transaction was written
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
