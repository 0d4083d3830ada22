import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Document } from '../../flags/document.ts';
import { formatTimestamp, parseTimestamp } from '../../flags/timestamp.ts';
import { conditionOf } from '../table/itemCondition.ts';
import type { Table } from '../table/table.ts';
import { encodeDocument, type StoredDocument, toItem } from './item.ts';
import type { DocumentWrite } from './writeSet.ts';

/** A document with its new version. */
export interface StampedDocument {
  readonly stored: StoredDocument;
  /** As in {@link DocumentWrite}. */
  readonly replaces: number;
  /** As in {@link DocumentWrite}. */
  readonly before: StoredDocument | undefined;
}

/**
 * Gives documents ascending versions: the current time, or the next free millisecond after `last`.
 *
 * @param last the environment's version
 * @param now unix milliseconds
 * @param keepTimestamps as in `WriteSet`
 * @throws {DocumentTooLarge}
 */
export function stamp(
  envId: string,
  documents: readonly DocumentWrite[],
  last: number,
  now: number,
  keepTimestamps = false,
): StampedDocument[] {
  let previous = last;
  return documents.map((planned) => {
    const own = Math.min(parseTimestamp(planned.document.updatedAt) ?? 0, now);
    const updatedAt = Math.max(keepTimestamps ? own : now, previous + 1);
    const document = { ...planned.document, envId, updatedAt: formatTimestamp(updatedAt) };
    const stored = encodeDocument({ kind: planned.kind, document } as Document, {
      envId,
      updatedAt,
      previous,
      writtenAt: now,
      targetedAt: planned.targetedAt === 'changed' ? updatedAt : (planned.targetedAt ?? 0),
    });
    previous = updatedAt;
    return { stored, replaces: planned.replaces ?? 0, before: planned.before };
  });
}

/** Bytes that a document's write takes: its body, and the previous body in the history. */
export function bytesOf({ stored, before }: StampedDocument): number {
  return bytesOfBody(stored) + (before ? bytesOfBody(before) : 0);
}

/** Size of a document's body in the table, in bytes. */
export function bytesOfBody({ body }: StoredDocument): number {
  return 'text' in body ? Buffer.byteLength(body.text) : body.gzip.length;
}

/**
 * The part of a transaction that writes a document. Its condition matters for a write set that read the item just before
 * another transaction changed it.
 */
export function putOf(table: Table, { stored, replaces }: StampedDocument): TransactWriteItem {
  const condition =
    replaces === 0
      ? { condition: 'attribute_not_exists(updatedAt)' }
      : { condition: 'updatedAt = :replaces', values: { replaces } };
  return { Put: { TableName: table.name, Item: toItem(stored), ...conditionOf(condition) } };
}
