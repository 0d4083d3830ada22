import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { formatName } from '../../flags/document.ts';
import { inBatches } from '../../runtime/batches.ts';
import type { RecordedAuthor } from '../table/author.ts';
import { acknowledgeLate } from '../table/commitWait.ts';
import { describeStoreError } from '../table/describeStoreError.ts';
import { StoreError } from '../table/errors.ts';
import type { Table } from '../table/table.ts';
import { retryWhenCancelled, sendTransaction } from '../table/transaction.ts';
import { DocumentReader } from './documents.ts';
import { DEFAULT_HISTORY_DAYS, inEntries, toHistoryItem } from './historyEntry.ts';
import type { StoredDocument } from './item.ts';
import { toJournalEntry } from './journal.ts';
import { bytesOf, putOf, type StampedDocument, stamp } from './stamp.ts';
import { moveVersion, readVersion, VERSION_REPLICAS, type Version } from './version.ts';
import { PROGRESS_COUNT, planWrites, type WriteSet } from './writeSet.ts';

/** DynamoDB's limits of one transaction, 100 actions and 4 MB, less the versions, the journal, the history and attributes. */
const TRANSACTION = { count: 100 - VERSION_REPLICAS - 2, bytes: 3_400_000 };

/** The size of a plan's item: DynamoDB's limit of an item. */
const PLAN_BYTES = 400_000;

/** The same, less the progress of a plan, which is at most one item of {@link PLAN_BYTES} and small ones. As many plans fit {@link PROGRESS_COUNT}. */
const TRANSACTION_WITH_PROGRESS = { count: TRANSACTION.count - PROGRESS_COUNT, bytes: TRANSACTION.bytes - PLAN_BYTES };

/** The author if the table has none. */
const UNKNOWN: RecordedAuthor = { by: 'unknown', command: '', keepDays: DEFAULT_HISTORY_DAYS };

/** Only a part of a change was written, or some flags still need a new version after it. */
class UnfinishedWrite extends StoreError {
  override name = 'Unfinished';
}

/**
 * Writes documents of one environment. Each gets its own version, `max(now, last + 1)`, which increases across flags and
 * segments. One transaction writes documents and version together. If the documents do not fit into one transaction, several
 * write them in order, and each leaves the environment consistent. Then flags that refer to a changed segment get new versions,
 * also those that an interrupted write left out.
 *
 * It returns or throws 100 ms after its last request ({@link acknowledgeLate}), even if it wrote nothing. It may have read a
 * change that another writer has not acknowledged yet.
 *
 * @param prepare reads with strong consistency, and returns the changes, given the environment's version. It is called again if
 *   another writer was faster, so it must find out what is left to do
 * @returns the written documents, in order
 * @throws {UnfinishedWrite} if only a part of the documents was written, or some flags still need a new version
 */
export function commit(
  table: Table,
  envId: string,
  prepare: (version: number) => Promise<WriteSet>,
): Promise<StoredDocument[]> {
  return acknowledgeLate(table.effects, () => commitNow(table, envId, prepare));
}

async function commitNow(
  table: Table,
  envId: string,
  prepare: (version: number) => Promise<WriteSet>,
): Promise<StoredDocument[]> {
  const author = (await table.author?.(envId)) ?? UNKNOWN;
  const writer: Writer = { table, envId, author, written: [] };
  const isUnfinished = await writePrepared(writer, prepare).catch((error) => {
    const { length } = writer.written;
    if (length === 0) throw error;
    const what = length === 1 ? 'one flag or segment was' : `${length} flags and segments were`;
    throw new UnfinishedWrite(`a part of the change was written (${what}), then: ${describeStoreError(error)}`, {
      cause: error,
    });
  });
  if (isUnfinished) await finish(writer);
  return writer.written;
}

interface Writer {
  readonly table: Table;
  readonly envId: string;
  readonly author: RecordedAuthor;
  /** The documents written so far, in order. */
  readonly written: StoredDocument[];
  /** The version of the first transaction, once it is written. */
  change?: number;
}

async function finish(writer: Writer): Promise<void> {
  const { table, envId } = writer;
  try {
    await writePrepared(writer, prepareFollowers(table, envId));
  } catch (error) {
    throw new UnfinishedWrite(
      'the change was written, but flags that refer to a changed segment do not all have a new version yet, without ' +
        `which client-side SDKs do not see them change; the next change in this environment sees to it: ${describeStoreError(error)}`,
      { cause: error },
    );
  }
}

function prepareFollowers(table: Table, envId: string) {
  return async (version: number): Promise<WriteSet> => ({
    ...planWrites(await new DocumentReader(table).load(envId), [], version),
    keepTimestamps: false,
  });
}

/** Gives the flags that an interrupted write left out their new versions. */
export async function finishInterrupted(table: Table, envId: string): Promise<void> {
  if ((await readVersion(table, envId)).isUnfinished) await commit(table, envId, prepareFollowers(table, envId));
}

function writePrepared(writer: Writer, prepare: (version: number) => Promise<WriteSet>): Promise<boolean> {
  const { table, envId } = writer;
  return retryWhenCancelled(table.effects, async () => {
    const version = await readVersion(table, envId);
    return write(writer, version, await prepare(version.updatedAt));
  });
}

/**
 * Writes a set of documents. Flags that need a new version are written too, as far as they fit the same transactions. After
 * that, the set must not be prepared again. A set without documents is written completely.
 * The environment's version stays if there is only progress to write.
 *
 * @returns whether flags still need a new version
 */
async function write(
  writer: Writer,
  from: Version,
  { documents, owed, keepTimestamps, progress, along, note = '' }: WriteSet,
): Promise<boolean> {
  const { table, envId, written } = writer;
  const author = { ...writer.author, command: `${writer.author.command}${note}` };
  const all = [...documents, ...(owed ?? [])];
  // Times of before a restore would say that SDKs know what was lost.
  const mayKeep = keepTimestamps && !from.isRestored;
  const stamped = stamp(envId, all, from.updatedAt, table.effects.now(), mayKeep);
  const writesWith = ({ stored }: StampedDocument) => along?.get(formatName(stored)) ?? [];
  const sizeOf = (each: StampedDocument) => bytesOf(each) + writesWith(each).length * PLAN_BYTES;
  const limits = progress || along ? TRANSACTION_WITH_PROGRESS : TRANSACTION;
  const groups = inBatches(stamped, limits, sizeOf).flatMap(inEntries);
  const owes =
    from.isUnfinished || all.length > documents.length || all.some(({ targetedAt }) => targetedAt === 'changed');
  // A set that was prepared without the whole environment leaves flags of earlier changes as they are.
  const staysUnfinished = from.isUnfinished && owed === undefined;
  if (groups.length === 0 && (progress || (from.isUnfinished && !staysUnfinished))) groups.push([]);
  let version = from;
  const last = stamped[documents.length - 1];
  const due = last ? groups.slice(0, groups.findIndex((group) => group.includes(last)) + 1) : groups;
  for (const [index, group] of due.entries()) {
    const next = {
      ...versionAfter(version, group),
      isUnfinished: staysUnfinished || (owes && index < groups.length - 1),
    };
    await sendTransaction(table, [
      ...group.flatMap((each) => [putOf(table, each), ...writesWith(each)]),
      ...put(table, toJournalEntry(group.map(({ stored }) => stored))),
      ...put(table, toHistoryItem({ written: group, author, change: writer.change, previousAt: version.writtenAt })),
      ...moveVersion(table, envId, version, next),
      ...(index === 0 ? (progress?.(next.isUnfinished) ?? []) : []),
    ]);
    written.push(...group.map(({ stored }) => stored));
    writer.change ??= next.updatedAt;
    version = next;
  }
  return version.isUnfinished;
}

function versionAfter(version: Version, group: readonly StampedDocument[]): Version {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return version;
  const { updatedAt, writtenAt } = last.stored;
  // Clients may have data from after the time to which the table was restored. What they have must not count as known.
  const initial = version.isRestored ? first.stored.updatedAt - 1 : version.initial;
  const marks = { isUnfinished: false, isAwaited: true, isRestored: false };
  return { updatedAt, previous: version.updatedAt, writtenAt, initial, ...marks };
}

function put({ name: TableName }: Table, Item: Record<string, AttributeValue> | undefined): TransactWriteItem[] {
  return Item ? [{ Put: { TableName, Item } }] : [];
}
