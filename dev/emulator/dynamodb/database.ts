import { openChangeFeed } from './changeFeed.ts';
import type { UserIdentity } from './changeRecord.ts';
import { type BatchOperation, engine } from './dynaliteInternals.ts';
import { createSerialQueue } from './serialQueue.ts';
import type { Stage } from './stage.ts';

/** The open store with its change log. */
export type Database = Awaited<ReturnType<typeof openDatabase>>;

interface CommitOptions {
  readonly also?: BatchOperation[];
  readonly userIdentity?: UserIdentity;
}

/**
 * Opens the database in a directory, made if need be, or in memory when `path` is undefined.
 * @throws Error when another process has the directory open, or it cannot be used.
 */
export async function openDatabase(path: string | undefined) {
  const store = engine.create({
    ...(path !== undefined && { path }),
    createTableMs: 0,
    updateTableMs: 0,
  });
  await store.db.open().catch((error: Error) => {
    throw openError(path ?? 'memory', error);
  });
  const feed = await openChangeFeed(store.db, store.tableDb.awsRegion);
  return {
    store,
    feed,
    /** Every request and every sweep runs in here, one at a time: what one has read still holds when it commits. */
    exclusively: createSerialQueue(),
    /**
     * Stores all that the stages collected, with their records in the change log, in one atomic batch: after a kill at any moment
     * either all of it is there or nothing. It survives the end of the process, not of the machine (the batch is not synced).
     */
    commit: async (stages: Stage[], { also = [], userIdentity }: CommitOptions = {}): Promise<void> => {
      const records = feed.prepare(
        stages.flatMap((stage) => stage.changes),
        userIdentity,
      );
      const operations = [...stages.flatMap((stage) => stage.operations), ...records.operations, ...also];
      if (operations.length > 0) await store.db.batch(operations);
      feed.announce(records.streamArns);
    },
    close: () => store.db.close(),
  };
}

function openError(path: string, error: Error): Error {
  const cause = error.cause as (Error & { code?: string }) | undefined;
  return cause?.code === 'LEVEL_LOCKED'
    ? new Error(
        `the DynamoDB data directory ${path} is in use by another process: stop that one or choose another path`,
      )
    : new Error(`the DynamoDB data directory ${path} cannot be opened: ${(cause ?? error).message}`, { cause: error });
}
