import { type ChangeRecord, streamArnOf } from './changeRecord.ts';
import { type KeyValueStore, keyPrefix, prefixRange, type Table } from './dynaliteInternals.ts';
import { feedKey, sortablePosition } from './feedKeys.ts';

/** How long DynamoDB keeps a stream's records, in ms. */
const retentionMs = 24 * 3600 * 1000;

/**
 * Removes the records of every stream that all of its known consumers have passed. A record that one of them still has to see
 * stays however old it is: unlike DynamoDB, this one may be off for days. A stream without consumers keeps a day.
 */
export async function trimFeed(db: KeyValueStore, now: number): Promise<void> {
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
