import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { inBatches } from '../runtime/batches.ts';
import { type Item, numberIn, textIn } from './attributes.ts';
import type { Author, SignedBy } from './author.ts';
import { fromItem, type StoredDocument, toItem } from './item.ts';
import { keys } from './keys.ts';
import { bytesOfBody, type StampedDocument } from './stamp.ts';

/** The most that the documents of one entry may take, in bytes: an item holds 400 KB. One alone has 390 KB at most. */
const ENTRY_LIMIT_BYTES = 350_000;
/** What a document takes in an entry without its body: name, key and numbers. */
const ATTRIBUTES_BYTES = 600;
const AUTHOR_LIMIT = 1_000;

/** A document that was changed. */
export interface ChangedDocument {
  readonly kind: StoredDocument['kind'];
  readonly id: string;
  /** Its new version. */
  readonly updatedAt: number;
  /** What it was; undefined where it was not there. */
  readonly before: StoredDocument | undefined;
  /** Whether it only got a new version, because a segment that it refers to changed. */
  readonly isFollower: boolean;
}

/** What one transaction wrote: a change, or a part of one. */
export interface HistoryEntry extends Author {
  /** The environment's version by it. */
  readonly version: number;
  /** The version of the change's first transaction: the same in all parts of a change. */
  readonly change: number;
  /** The version before it. */
  readonly previous: number;
  /** When that was written, unix milliseconds. */
  readonly previousAt: number;
  /** When this was written, unix milliseconds. */
  readonly at: number;
  readonly documents: readonly ChangedDocument[];
}

/** Of what a transaction wrote, and before it. */
interface Transaction {
  readonly written: readonly StampedDocument[];
  readonly author: SignedBy;
  /** As in {@link HistoryEntry}; undefined for a change's first transaction. */
  readonly change: number | undefined;
  /** When the version before it was written. */
  readonly previousAt: number;
}

/** Divides what is to be written so that an entry holds what each part takes the place of. */
export function inEntries(written: readonly StampedDocument[]): StampedDocument[][] {
  const limits = { count: Number.POSITIVE_INFINITY, bytes: ENTRY_LIMIT_BYTES };
  return inBatches(written, limits, ({ before }) => ATTRIBUTES_BYTES + (before ? bytesOfBody(before) : 0));
}

/** The item by which a transaction is remembered. @returns undefined for one that writes no documents */
export function toHistoryItem(transaction: Transaction): Record<string, AttributeValue> | undefined {
  const { written, author, change, previousAt } = transaction;
  const [first] = written;
  const last = written.at(-1);
  if (!first || !last) return undefined;
  const { envId, updatedAt, writtenAt } = last.stored;
  return {
    ...keys.history(envId, updatedAt),
    ...(change === undefined ? {} : { change: { N: String(change) } }),
    previous: { N: String(first.stored.previous) },
    previousAt: { N: String(previousAt) },
    at: { N: String(writtenAt) },
    by: { S: author.by.slice(0, AUTHOR_LIMIT) },
    command: { S: author.command.slice(0, AUTHOR_LIMIT) },
    documents: { L: written.map((stamped) => ({ M: toDocument(stamped) })) },
    expiresAt: { N: String(Math.floor(writtenAt / 1_000) + author.keepDays * 86_400) },
  };
}

/** Reads an item back. */
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
  return {
    kind: { S: stored.kind },
    id: { S: stored.id },
    updatedAt: { N: String(stored.updatedAt) },
    ...(before ? { before: { M: toItem(before) } } : {}),
    ...(!before && replaces > 0 ? { isFollower: { BOOL: true } } : {}),
  };
}
