import { type AttributeValue, paginateQuery, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { type Item, textIn } from './attributes.ts';
import { isUnbroken } from './chain.ts';
import type { StreamRecord } from './change.ts';
import { fromItem, type StoredDocument, toItem } from './item.ts';
import { envIdOfKey, keys } from './keys.ts';
import { pagesUnder } from './read.ts';
import type { Table } from './table.ts';

/** How long changes can be read back; a reader that was away for longer reads the environment instead. */
const RETENTION_SECONDS = 3_600;

/** The most that the documents of one entry may take, in bytes: an item holds 400 KB. */
const ENTRY_LIMIT_BYTES = 350_000;

/**
 * The journal's entry of one transaction, under its last version: its documents as they were written. What replaces a
 * document later does not replace this, so that a reader who polls sees every change.
 *
 * @returns undefined where they do not fit an item: readers then read the environment
 */
export function toJournalEntry(written: readonly StoredDocument[]): Record<string, AttributeValue> | undefined {
  const last = written.at(-1);
  const bytes = written.reduce(
    (sum, { body }) => sum + ('text' in body ? Buffer.byteLength(body.text) : body.gzip.length),
    0,
  );
  // Each has some hundred bytes of attributes next to its body.
  if (!last || bytes + written.length * 300 > ENTRY_LIMIT_BYTES) return undefined;
  return {
    ...keys.journal(last.envId, last.updatedAt),
    changes: { L: written.map((stored) => ({ M: toItem(stored) })) },
    expiresAt: { N: String(Math.floor(last.writtenAt / 1_000) + RETENTION_SECONDS) },
  };
}

/**
 * All changes of an environment after one version and up to another, ascending, each document as it was written then.
 *
 * @returns undefined when not all of them are there (any more, or yet)
 */
export async function loadChanges(
  table: Table,
  envId: string,
  after: number,
  upTo: number,
): Promise<StoredDocument[] | undefined> {
  if (upTo <= after) return [];
  const changes: StoredDocument[] = [];
  const pages = pagesUnder(table, keys.journal(envId, 0).pk, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':first': keys.journal(envId, after + 1).sk,
      ':last': keys.journal(envId, upTo).sk,
    },
  });
  for await (const items of pages) {
    for (const { changes: entry } of items)
      changes.push(...(entry?.L ?? []).flatMap(({ M }) => (M && fromItem(M)) ?? []));
    // What lacks the beginning is not read to the end.
    if (!isUnbroken(changes, after, changes.at(-1)?.updatedAt ?? after)) return undefined;
  }
  return isUnbroken(changes, after, upTo) ? changes : undefined;
}

/** An entry that has expired: who is at an older version cannot follow the journal any more. */
export interface ExpiredEntry {
  readonly envId: string;
  /** The version that it is under. */
  readonly version: number;
}

/** Reads from a stream record which entry of a journal was deleted. @returns undefined for any other record */
export function expiredFromRecord({ Keys = {}, NewImage }: StreamRecord): ExpiredEntry | undefined {
  const pk = textIn(Keys as Item, 'pk');
  const envId = envIdOfKey(pk);
  if (NewImage || pk !== keys.journal(envId, 0).pk.S) return undefined;
  return { envId, version: Number(textIn(Keys as Item, 'sk')) };
}

/** How many transactions changed an environment after a time, unix milliseconds, as far as the journal goes back. */
export async function countChanges({ client, name: TableName }: Table, envId: string, after: number): Promise<number> {
  const { pk, sk } = keys.journal(envId, Math.max(0, after) + 1);
  let count = 0;
  const query: QueryCommandInput = {
    TableName,
    KeyConditionExpression: 'pk = :pk AND sk >= :first',
    ExpressionAttributeValues: { ':pk': pk, ':first': sk },
    Select: 'COUNT',
  };
  for await (const { Count = 0 } of paginateQuery({ client }, query)) count += Count;
  return count;
}
