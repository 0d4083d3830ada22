import {
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { Conflict } from './errors.ts';
import type { Ambient, Tables } from './table.ts';

/** Attempts before a writer that others keep overtaking gives up. */
const ATTEMPTS = 12;
const LONGEST_PAUSE_MS = 1_000;

/** Somebody else wrote first: read again, and try again. */
class Overtaken extends Error {}

/** Sends one transaction. @throws {Overtaken} when a condition failed or another transaction was in the way */
export async function sendTransaction(tables: Tables, actions: readonly TransactWriteItem[]): Promise<void> {
  try {
    await tables.client.send(new TransactWriteItemsCommand({ TransactItems: [...actions] }));
  } catch (error) {
    const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
    const isOvertaken = reasons.some(({ Code }) => Code === 'ConditionalCheckFailed' || Code === 'TransactionConflict');
    throw isOvertaken ? new Overtaken('another writer was first', { cause: error }) : error;
  }
}

/**
 * Runs a read-then-write step again until nobody overtakes it, pausing a random, growing while in between.
 *
 * @throws {Conflict} when it was overtaken every time; nothing of the last attempt was written
 */
export async function retryWhenOvertaken<T>(ambient: Ambient, step: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      if (attempt === ATTEMPTS) {
        throw new Conflict(`others kept writing to the same environment (${ATTEMPTS} attempts); try again`, {
          cause: error,
        });
      }
      const pause = ambient.random() * Math.min(LONGEST_PAUSE_MS, 10 * 2 ** attempt);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
