import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { inBatches } from '../../runtime/batches.ts';
import { attributesOf, type Item, numberIn, textIn } from '../table/attributes.ts';
import type { Author, RecordedAuthor } from '../table/author.ts';
import { keys } from '../table/keys.ts';
import { fromItem, type StoredDocument, toItem } from './item.ts';
import { bytesOfBody, type StampedDocument } from './stamp.ts';

/** Maximum size of the documents of one entry, in bytes. An item holds 400 KB, a single document at most 390 KB. */
const ENTRY_LIMIT_BYTES = 350_000;
/** Size of a document in an entry without its body: name, key and numbers. */
const ATTRIBUTES_BYTES = 600;
const AUTHOR_LIMIT = 1_000;
/** How long changes are kept if the environment has no setting, in days. */
export const DEFAULT_HISTORY_DAYS = 365;

/** A changed document. */
export interface ChangedDocument {
  readonly kind: StoredDocument['kind'];
  readonly id: string;
  /** Its new version. */
  readonly updatedAt: number;
  /** The previous document. Undefined if there was none. */
  readonly before: StoredDocument | undefined;
  /** Whether only its version is new, because a segment that it refers to changed. */
  readonly isFollower: boolean;
}

/** What one transaction wrote: a change, or a part of one. */
export interface HistoryEntry extends Author {
  /** The environment's new version, which identifies this transaction. */
  readonly version: number;
  /** The version of the change's first transaction, which all parts of the change share. */
  readonly change: number;
  /** The previous version. */
  readonly previous: number;
  /** When the previous version was written, unix milliseconds. */
  readonly previousAt: number;
  /** When this version was written, unix milliseconds. */
  readonly at: number;
  readonly documents: readonly ChangedDocument[];
}

/** The written documents and their previous state. */
interface Transaction {
  readonly written: readonly StampedDocument[];
  readonly author: RecordedAuthor;
  /** As in {@link HistoryEntry}; undefined for a change's first transaction. */
  readonly change: number | undefined;
  /** When the previous version was written. */
  readonly previousAt: number;
}

/** Splits documents to write into parts. An entry holds the previous documents of one part. */
export function inEntries(written: readonly StampedDocument[]): StampedDocument[][] {
  const limits = { count: Number.POSITIVE_INFINITY, bytes: ENTRY_LIMIT_BYTES };
  return inBatches(written, limits, ({ before }) => ATTRIBUTES_BYTES + (before ? bytesOfBody(before) : 0));
}

/** The history item of a transaction. @returns undefined if the transaction writes no documents */
export function toHistoryItem(transaction: Transaction): Record<string, AttributeValue> | undefined {
  const { written, author, change, previousAt } = transaction;
  const [first] = written;
  const last = written.at(-1);
  if (!first || !last) return undefined;
  const { envId, updatedAt, writtenAt } = last.stored;
  return {
    ...keys.history(envId, updatedAt),
    ...attributesOf({
      change,
      previous: first.stored.previous,
      previousAt,
      at: writtenAt,
      by: author.by.slice(0, AUTHOR_LIMIT),
      command: author.command.slice(0, AUTHOR_LIMIT),
      commit: author.commit?.slice(0, AUTHOR_LIMIT),
      signedBy: author.signedBy?.slice(0, AUTHOR_LIMIT),
      documents: { L: written.map((stamped) => ({ M: toDocument(stamped) })) },
      expiresAt: Math.floor(writtenAt / 1_000) + author.keepDays * 86_400,
    }),
  };
}

/** Parses a history item. */
export function fromHistoryItem(item: Item): HistoryEntry {
  const version = Number(textIn(item, 'sk'));
  return {
    version,
    change: numberIn(item, 'change') || version,
    previous: numberIn(item, 'previous'),
    previousAt: numberIn(item, 'previousAt'),
    at: numberIn(item, 'at'),
    by: textIn(item, 'by'),
    command: textIn(item, 'command'),
    commit: textIn(item, 'commit') || undefined,
    signedBy: textIn(item, 'signedBy') || undefined,
    documents: (item['documents']?.L ?? []).map(({ M = {} }) => ({
      kind: textIn(M, 'kind') === 'segment' ? 'segment' : 'flag',
      id: textIn(M, 'id'),
      updatedAt: numberIn(M, 'updatedAt'),
      before: M['before']?.M && fromItem(M['before'].M),
      isFollower: M['isFollower']?.BOOL ?? false,
    })),
  };
}

function toDocument({ stored, before, replaces }: StampedDocument): Record<string, AttributeValue> {
  const { kind, id, updatedAt } = stored;
  return attributesOf({
    kind,
    id,
    updatedAt,
    before: before && { M: toItem(before) },
    isFollower: !before && replaces > 0 ? { BOOL: true } : undefined,
  });
}
