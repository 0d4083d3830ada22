import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TRIM_HORIZON } from './feedKeys.ts';
import { type LocalDynamoDb, startDynamoDb } from './server.ts';
import { clientOf, createTable, readAll, scanAll } from './testing/client.ts';
import {
  expectedGroups,
  expectedItems,
  groupsOf,
  loadTable,
  nameOf,
  storedCount,
  writeTransaction,
} from './testing/transactionalLoad.ts';

const writers = 4;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'flagwire-dynamodb-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function opened<T>(path: string, use: (db: LocalDynamoDb, client: DynamoDBClient) => Promise<T>): Promise<T> {
  const db = await startDynamoDb({ path });
  const client = clientOf(db);
  try {
    return await use(db, client);
  } finally {
    client.destroy();
    await db.close();
  }
}

/** Checks that table and log hold whole transactions only, the same ones. Answers how many of each writer. */
async function checkWhole(db: LocalDynamoDb, client: DynamoDBClient): Promise<number[]> {
  const counts = await Promise.all(Array.from({ length: writers }, (_, writer) => storedCount(client, writer)));
  expect((await scanAll(client, loadTable)).map(nameOf).sort()).toEqual(expectedItems(counts));
  const records = await readAll(db.feed, await streamArn(client));
  const groups = groupsOf(records);
  expect(groups.toSorted()).toEqual(expectedGroups(counts));
  for (let writer = 0; writer < writers; writer++) {
    const order = groups.map((group) => new RegExp(`COUNTER#${writer}=(\\d+)`).exec(group)?.[1]).filter(Boolean);
    expect(order.map(Number)).toEqual(Array.from({ length: counts[writer] ?? 0 }, (_, n) => n + 1));
  }
  const positions = records.map(({ dynamodb }) => BigInt(dynamodb.SequenceNumber));
  expect(positions.every((position, index) => index === 0 || position > (positions[index - 1] as bigint))).toBe(true);
  return counts;
}

async function streamArn(client: DynamoDBClient): Promise<string> {
  return (await client.send(new DescribeTableCommand({ TableName: loadTable }))).Table?.LatestStreamArn as string;
}

/** Runs the writing process on a directory and kills it after so many acknowledged transactions. Answers each writer's last. */
async function killAfter(path: string, acknowledged: number): Promise<number[]> {
  const script = fileURLToPath(new URL('./testing/transactionalWriter.ts', import.meta.url));
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, path, String(writers)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const last = new Array<number>(writers).fill(0);
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [writer = 0, n = 0] = line.split(' ').map(Number);
    last[writer] = n;
    seen += 1;
    if (seen === acknowledged) child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return last;
}

describe('the data directory after a SIGKILL in the middle of transactional writing', () => {
  test('holds every acknowledged transaction, each one whole, and each change once and in order', async () => {
    const path = join(root, 'data');
    let position = TRIM_HORIZON;
    const consumed: string[] = [];
    for (const acknowledged of [7, 30, 61]) {
      const last = await killAfter(path, acknowledged);
      await opened(path, async (db, client) => {
        const counts = await checkWhole(db, client);
        counts.forEach((count, writer) => {
          // Each writer waits for its answer, so that at most one transaction was stored but not acknowledged.
          const before = last[writer] as number;
          if (before > 0) expect([before, before + 1]).toContain(count);
        });

        // A consumer that comes back after every kill and goes on from its checkpoint.
        const arn = await streamArn(client);
        expect(await db.feed.loadCheckpoint('consumer', arn)).toBe(position === TRIM_HORIZON ? undefined : position);
        const records = await readAll(db.feed, arn, position);
        consumed.push(...groupsOf(records));
        position = records.at(-1)?.dynamodb.SequenceNumber ?? position;
        await db.feed.checkpoint('consumer', arn, position);
        expect(consumed.toSorted()).toEqual(expectedGroups(counts));
      });
    }
  }, 60_000);
});

describe('a write-ahead log that ends anywhere', () => {
  test('loses transactions from its end on, each one whole and with its records', async () => {
    const whole = join(root, 'whole');
    await opened(whole, async (_db, client) => {
      await createTable(client, loadTable, 'NEW_AND_OLD_IMAGES');
      for (let n = 1; n <= 6; n++) await writeTransaction(client, n % writers, Math.ceil(n / writers));
    });
    const log = readdirSync(whole).find((name) => name.endsWith('.log')) as string;
    const { size } = statSync(join(whole, log));
    const totals: number[] = [];
    for (const part of [1, 0.97, 0.9, 0.8, 0.66, 0.5, 0.33, 0.2, 0.1]) {
      const torn = join(root, `torn-${part}`);
      cpSync(whole, torn, { recursive: true });
      truncateSync(join(torn, log), Math.floor(size * part));
      await opened(torn, async (db, client) => {
        totals.push((await checkWhole(db, client)).reduce((sum, count) => sum + count, 0));
      });
    }
    expect(totals[0]).toBe(6);
    expect(totals).toEqual(totals.toSorted((a, b) => b - a));
    expect(new Set(totals).size).toBeGreaterThan(4);
  }, 60_000);
});
