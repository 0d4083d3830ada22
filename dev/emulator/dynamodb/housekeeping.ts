import { type ChangeRecord, streamArnOf } from './changeRecord.ts';
import type { Database } from './database.ts';
import { type KeyValueStore, keyPrefix, prefixRange, type Table } from './dynaliteInternals.ts';
import { feedKey, sortablePosition } from './feedKeys.ts';
import { forgetTokens } from './idempotency.ts';
import { createSerialQueue } from './serialQueue.ts';
import { sweepExpired } from './ttlSweep.ts';

/** Retention of the records of a stream, in ms. */
const retentionMs = 24 * 3600 * 1000;

/**
 * Starts to remove expired items, old idempotency tokens, and change records that all consumers have read, in rounds with `everyMs`
 * between them. A failed round is a process warning.
 */
export function startHousekeeping(database: Database, everyMs: number) {
  const oneAtATime = createSerialQueue();
  const sweepNow = () =>
    oneAtATime(async () => {
      const now = Date.now();
      await sweepExpired(database, now);
      await database.exclusively(() => forgetTokens(database.store.db, now));
      await trimFeed(database.store.db, now);
    });

  let stopped = false;
  let timer = setTimeout(round, everyMs);
  async function round(): Promise<void> {
    await sweepNow().catch((error: Error) =>
      process.emitWarning(`the embedded DynamoDB's sweep failed: ${error.message}`),
    );
    if (!stopped) timer = setTimeout(round, everyMs);
  }

  return {
    /** Runs one round, after the current one. */
    sweepNow,
    /** Ends the rounds, and waits for the current one. */
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await oneAtATime(async () => undefined);
    },
  };
}

/**
 * Removes the records of every stream that all of its known consumers have passed. A record that one of them still has to see
 * stays however old it is: unlike DynamoDB, this one may be off for days. A stream without consumers keeps a day.
 */
async function trimFeed(db: KeyValueStore, now: number): Promise<void> {
  for await (const table of db.values(prefixRange(keyPrefix.tables))) {
    const streamArn = streamArnOf(table as Table);
    if (streamArn === undefined) continue;
    const passed = (await db.values(prefixRange(feedKey.checkpoints(streamArn))).all()) as string[];
    const upTo = passed.length > 0 ? earliest(passed) : await lastBefore(db, streamArn, now - retentionMs);
    if (upTo === undefined) continue;
    await db.clear({ gte: feedKey.records(streamArn), lte: feedKey.record(streamArn, upTo) });
  }
}

function earliest(positions: string[]): string {
  return positions.reduce((a, b) => (sortablePosition(a) < sortablePosition(b) ? a : b));
}

async function lastBefore(db: KeyValueStore, streamArn: string, time: number): Promise<string | undefined> {
  let last: string | undefined;
  for await (const value of db.values(prefixRange(feedKey.records(streamArn)))) {
    const { ApproximateCreationDateTime: seconds = 0, SequenceNumber: position } = (value as ChangeRecord).dynamodb;
    if (seconds * 1000 >= time) break;
    last = position;
  }
  return last;
}
