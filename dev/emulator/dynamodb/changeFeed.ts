import type { StreamLog } from '../eventsources/streamRecord.ts';
import { type ChangeRecord, changeRecord, changesNothing, streamArnOf, type UserIdentity } from './changeRecord.ts';
import { type BatchOperation, type KeyValueStore, prefixRange } from './dynaliteInternals.ts';
import { feedKey, lastSequenceKey, sequenceNumber, sortablePosition } from './feedKeys.ts';
import type { Change } from './stage.ts';

/**
 * The durable log of changes of all tables with a stream. A record is in the log if and only if its write is in the table:
 * both are stored in one atomic batch, before the write is acknowledged.
 */
export type ChangeFeed = StreamLog<ChangeRecord>;

/** Opens the log kept in a store, as the write path sees it. Records carry `awsRegion`. */
export async function openChangeFeed(db: KeyValueStore, awsRegion: string) {
  const listeners = new Set<(streamArn: string) => void>();
  let last = (db.getSync(lastSequenceKey) ?? 0) as number;

  const feed: ChangeFeed = {
    read: async (streamArn, after, limit) => {
      const range = { gt: feedKey.record(streamArn, after), lt: prefixRange(feedKey.records(streamArn)).lt, limit };
      return (await db.values(range).all()) as ChangeRecord[];
    },
    onAppend: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    latestSequenceNumber: () => sequenceNumber(last),
    checkpoint: async (consumer, streamArn, position) => {
      sortablePosition(position);
      await db.put(feedKey.checkpoint(streamArn, consumer), position);
    },
    loadCheckpoint: async (consumer, streamArn) =>
      db.getSync(feedKey.checkpoint(streamArn, consumer)) as string | undefined,
  };
  return {
    ...feed,
    /** Converts changes into records. @returns the operations that store the records, for the same batch as the changes */
    prepare: (changes: Change[], userIdentity?: UserIdentity) => {
      const operations: BatchOperation[] = [];
      const streamArns = new Set<string>();
      const now = Date.now();
      for (const change of changes) {
        const streamArn = streamArnOf(change.table);
        if (streamArn === undefined || changesNothing(change)) continue;
        const position = sequenceNumber(++last);
        const record = changeRecord(change, { sequenceNumber: position, awsRegion, now, userIdentity });
        operations.push({ type: 'put', key: feedKey.record(streamArn, position), value: record });
        streamArns.add(streamArn);
      }
      // Trimming may remove the newest record, so that the counter cannot be read back from the records.
      if (operations.length > 0) operations.push({ type: 'put', key: lastSequenceKey, value: last });
      return { operations, streamArns };
    },
    /** Calls the listeners of streams whose new records are stored. */
    announce: (streamArns: Set<string>): void => {
      for (const streamArn of streamArns) {
        for (const listener of listeners) queueMicrotask(() => listener(streamArn));
      }
    },
  };
}
