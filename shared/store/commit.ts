import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { formatTimestamp, parseTimestamp } from '../flags/timestamp.ts';
import { inBatches } from './batches.ts';
import { type Document, encodeDocument, type StoredDocument, toItem } from './item.ts';
import { toJournalEntry } from './journal.ts';
import type { Ambient, Tables } from './table.ts';
import { retryWhenCancelled, sendTransaction } from './transaction.ts';
import { moveVersion, readVersion, VERSION_REPLICAS } from './version.ts';

/** DynamoDB's limits of one transaction, 100 actions and 4 MB, less the versions, the journal and attributes. */
const TRANSACTION = { count: 100 - VERSION_REPLICAS - 1, bytes: 3_400_000 };

/** Documents to write, in the order of their new versions. */
export interface Plan {
  readonly documents: readonly Planned[];
  /** Give each its own `updatedAt` (or the next free millisecond) in place of the present time. */
  readonly keepTimestamps?: boolean;
}

/** A document to write. */
export type Planned = Document & {
  /** Version of the stored document that it takes the place of; 0 or absent: there is none. */
  readonly replaces?: number;
  /** For segments: `changed` when who belongs to it changes by this write, else the stored value to carry on. */
  readonly targetedAt?: 'changed' | number;
};

interface Write {
  readonly stored: StoredDocument;
  readonly replaces: number;
}

/**
 * Writes documents of one environment, each with a version of its own: `max(now, last + 1)`, strictly increasing across
 * flags and segments. One transaction moves documents and version together; more documents than fit one go in several,
 * ascending, each leaving the environment consistent.
 *
 * @param plan reads what it needs with strong consistency and says what is to change, given the environment's version;
 *   it is called again when another writer was first, so it must tell from what it reads what is left to do
 * @returns what was written, in order
 */
export async function commit(
  tables: Tables,
  ambient: Ambient,
  envId: string,
  plan: (version: number) => Promise<Plan>,
): Promise<StoredDocument[]> {
  const written: StoredDocument[] = [];
  await retryWhenCancelled(ambient, async () => {
    let { updatedAt: last } = await readVersion(tables, ambient, envId);
    const writes = stamp(envId, await plan(last), last, ambient.now());
    for (const group of inBatches(writes, TRANSACTION, ({ stored }) => bytesOf(stored))) {
      const next = (group.at(-1) as Write).stored.updatedAt;
      await sendTransaction(tables, [
        ...group.map((write) => put(tables, write)),
        ...journal(tables, group),
        ...moveVersion(tables, envId, last, { updatedAt: next, writtenAt: ambient.now() }),
      ]);
      written.push(...group.map(({ stored }) => stored));
      last = next;
    }
  });
  return written;
}

function stamp(envId: string, plan: Plan, last: number, now: number): Write[] {
  let previous = last;
  return plan.documents.map((planned) => {
    const own = Math.min(parseTimestamp(planned.document.updatedAt) ?? 0, now);
    const updatedAt = Math.max(plan.keepTimestamps ? own : now, previous + 1);
    const document = { ...planned.document, envId, updatedAt: formatTimestamp(updatedAt) };
    const stored = encodeDocument({ kind: planned.kind, document } as Document, {
      envId,
      updatedAt,
      previous,
      writtenAt: now,
      targetedAt: planned.targetedAt === 'changed' ? updatedAt : (planned.targetedAt ?? 0),
    });
    previous = updatedAt;
    return { stored, replaces: planned.replaces ?? 0 };
  });
}

/** The condition is for a plan that read an item just before the transaction that moved the version reached it. */
function put(tables: Tables, { stored, replaces }: Write): TransactWriteItem {
  return {
    Put: {
      TableName: tables.flags,
      Item: toItem(stored),
      ...(replaces === 0
        ? { ConditionExpression: 'attribute_not_exists(updatedAt)' }
        : {
            ConditionExpression: 'updatedAt = :replaces',
            ExpressionAttributeValues: { ':replaces': { N: String(replaces) } },
          }),
    },
  };
}

function journal({ flags }: Tables, group: readonly Write[]): TransactWriteItem[] {
  const Item = toJournalEntry(group.map(({ stored }) => stored));
  return Item ? [{ Put: { TableName: flags, Item } }] : [];
}

function bytesOf({ body }: StoredDocument): number {
  return 'text' in body ? Buffer.byteLength(body.text) : body.gzip.length;
}
