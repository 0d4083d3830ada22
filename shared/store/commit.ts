import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { inBatches } from '../runtime/batches.ts';
import { DEFAULT_HISTORY_DAYS, type SignedBy } from './author.ts';
import { acknowledgeLate } from './commitWait.ts';
import { describeStoreError } from './describeStoreError.ts';
import { DocumentReader } from './documents.ts';
import { StoreError } from './errors.ts';
import { inEntries, toHistoryItem } from './historyEntry.ts';
import type { StoredDocument } from './item.ts';
import { toJournalEntry } from './journal.ts';
import { type Plan, planWrite } from './plan.ts';
import { bytesOf, putOf, type StampedDocument, stamp } from './stamp.ts';
import type { Table } from './table.ts';
import { retryWhenCancelled, sendTransaction } from './transaction.ts';
import { moveVersion, readVersion, VERSION_REPLICAS, type Version } from './version.ts';

/** DynamoDB's limits of one transaction, 100 actions and 4 MB, less the versions, the journal, the history and attributes. */
const TRANSACTION = { count: 100 - VERSION_REPLICAS - 2, bytes: 3_400_000 };

/** Who wrote what nobody signed. */
const UNKNOWN: SignedBy = { by: 'unknown', command: '', keepDays: DEFAULT_HISTORY_DAYS };

/** A part of a change was written, or some flags are still owed a new version after it. */
class UnfinishedWrite extends StoreError {
  override name = 'Unfinished';
}

/**
 * Writes documents of one environment, each with a version of its own: `max(now, last + 1)`, strictly increasing across
 * flags and segments. One transaction moves documents and version together; more documents than fit one go in several,
 * ascending, each leaving the environment consistent. Then flags get the new versions they are owed, be it from this
 * write or from one that was interrupted.
 *
 * It returns or throws 100 ms after its last request ({@link acknowledgeLate}), also where it wrote nothing: it may have read another
 * writer's change that is not acknowledged yet.
 *
 * @param plan reads what it needs with strong consistency and says what is to change, given the environment's version;
 *   it is called again when another writer was first, so it must tell from what it reads what is left to do
 * @returns what was written, in order
 * @throws {UnfinishedWrite} when only a part of the plan's documents was written, or not all flags that are owed a new version
 */
export function commit(
  table: Table,
  envId: string,
  plan: (version: number) => Promise<Plan>,
): Promise<StoredDocument[]> {
  return acknowledgeLate(table.effects, () => commitNow(table, envId, plan));
}

async function commitNow(
  table: Table,
  envId: string,
  plan: (version: number) => Promise<Plan>,
): Promise<StoredDocument[]> {
  const author = (await table.author?.(envId)) ?? UNKNOWN;
  const writer: Writer = { table, envId, author, written: [] };
  const isUnfinished = await carryOut(writer, plan).catch((error) => {
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
  readonly author: SignedBy;
  /** What was written so far, in order. */
  readonly written: StoredDocument[];
  /** The version of the first transaction, once it is written. */
  change?: number;
}

async function finish(writer: Writer): Promise<void> {
  const { table, envId } = writer;
  try {
    await carryOut(writer, async (version) => ({
      ...planWrite(await new DocumentReader(table).load(envId), [], version),
      keepTimestamps: false,
    }));
  } catch (error) {
    throw new UnfinishedWrite(
      'the change was written, but flags that refer to a changed segment do not all have a new version yet, without ' +
        `which client-side SDKs do not see them change; the next change in this environment sees to it: ${describeStoreError(error)}`,
      { cause: error },
    );
  }
}

function carryOut(writer: Writer, plan: (version: number) => Promise<Plan>): Promise<boolean> {
  const { table, envId } = writer;
  return retryWhenCancelled(table.effects, async () => {
    const version = await readVersion(table, envId);
    return write(writer, version, await plan(version.updatedAt));
  });
}

/**
 * Writes a plan's documents, and of the flags that are owed a new version those that fit the same transaction: once its
 * documents are written, a plan must not be made again. A plan without documents is written whole.
 *
 * @returns whether flags are owed one still
 */
async function write(writer: Writer, from: Version, { documents, owed, keepTimestamps }: Plan): Promise<boolean> {
  const { table, envId, author, written } = writer;
  const all = [...documents, ...(owed ?? [])];
  const stamped = stamp(envId, all, from.updatedAt, table.effects.now(), keepTimestamps);
  const groups = inBatches(stamped, TRANSACTION, bytesOf).flatMap(inEntries);
  const owes =
    from.isUnfinished || all.length > documents.length || all.some(({ targetedAt }) => targetedAt === 'changed');
  // A plan that has not looked at all of the environment leaves what is owed from before.
  const staysUnfinished = from.isUnfinished && owed === undefined;
  if (groups.length === 0 && from.isUnfinished && !staysUnfinished) groups.push([]);
  let version = from;
  let left = documents.length;
  for (const [index, group] of groups.entries()) {
    if (documents.length > 0 && left <= 0) break;
    const next = {
      ...versionAfter(version, group),
      isUnfinished: staysUnfinished || (owes && index < groups.length - 1),
    };
    await sendTransaction(table, [
      ...group.map((each) => putOf(table, each)),
      ...put(table, toJournalEntry(group.map(({ stored }) => stored))),
      ...put(table, toHistoryItem({ written: group, author, change: writer.change, previousAt: version.writtenAt })),
      ...moveVersion(table, envId, version, next),
    ]);
    written.push(...group.map(({ stored }) => stored));
    writer.change ??= next.updatedAt;
    version = next;
    left -= group.length;
  }
  return version.isUnfinished;
}

function versionAfter(version: Version, group: readonly StampedDocument[]): Version {
  const last = group.at(-1);
  if (!last) return version;
  const { updatedAt, writtenAt } = last.stored;
  return { updatedAt, previous: version.updatedAt, writtenAt, isUnfinished: false, isAwaited: true };
}

function put({ name: TableName }: Table, Item: Record<string, AttributeValue> | undefined): TransactWriteItem[] {
  return Item ? [{ Put: { TableName, Item } }] : [];
}
