import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { testEffects } from '../testing/testTables.ts';
import { Conflict, Throttled } from './errors.ts';
import type { Table } from './table.ts';
import { retryWhenCancelled, sendTransaction } from './transaction.ts';

const effects = { ...testEffects(), random: () => 0 };

/** A table that cancels transactions with these codes in turn, and then accepts them. */
function cancelling(...codes: readonly string[][]): { table: Table; sent: () => number } {
  let sent = 0;
  const client = {
    send: async () => {
      const reasons = codes[sent++];
      if (!reasons) return {};
      throw new TransactionCanceledException({
        $metadata: {},
        message: 'Transaction cancelled',
        CancellationReasons: reasons.map((Code) => ({ Code })),
      });
    },
  };
  return { table: { client, name: 'Flags', effects } as unknown as Table, sent: () => sent };
}

describe('a cancelled transaction', () => {
  test.each([
    ['a condition did not hold', 'ConditionalCheckFailed'],
    ['another transaction was in the way', 'TransactionConflict'],
    ['the table was throttled', 'ThrottlingError'],
    ['the table had no capacity left', 'ProvisionedThroughputExceeded'],
  ])('is planned and sent again where %s', async (_, code) => {
    const { table, sent } = cancelling(['None', code], [code, 'None']);
    let planned = 0;
    await retryWhenCancelled(effects, () => {
      planned++;
      return sendTransaction(table, []);
    });
    expect([planned, sent()]).toEqual([3, 3]);
  });

  test('is an error at once for any other reason', async () => {
    const { table, sent } = cancelling(['ValidationError', 'None']);
    await expect(retryWhenCancelled(effects, () => sendTransaction(table, []))).rejects.toThrow(
      TransactionCanceledException,
    );
    expect(sent()).toBe(1);
  });

  test('is given up after a dozen attempts, with the reason and what to do', async () => {
    const always = (code: string) => cancelling(...Array.from({ length: 20 }, () => [code])).table;
    const attempt = (code: string) => retryWhenCancelled(effects, () => sendTransaction(always(code), []));
    await expect(attempt('ConditionalCheckFailed')).rejects.toThrow(Conflict);
    await expect(attempt('ConditionalCheckFailed')).rejects.toThrow(/\(12 attempts\); try again/);
    await expect(attempt('ThrottlingError')).rejects.toThrow(Throttled);
    await expect(attempt('ThrottlingError')).rejects.toThrow(/too busy/);
  });
});

test('throws an error that is no cancellation', async () => {
  const client = {
    send: async () => {
      throw new Error('no network');
    },
  };
  const table = { client, name: 'Flags', effects } as unknown as Table;
  await expect(retryWhenCancelled(effects, () => sendTransaction(table, []))).rejects.toThrow('no network');
});
