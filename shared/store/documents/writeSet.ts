import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { referencedSegments } from '../../evaluation/flag.ts';
import { isSame } from '../../flags/content.ts';
import { type Document, documentId, documentName, formatName } from '../../flags/document.ts';
import type { Flag } from '../../flags/flag.ts';
import type { Segment } from '../../flags/segment.ts';
import { parseTimestamp } from '../../flags/timestamp.ts';
import { contentOf, type StoredDocument } from './item.ts';
import { requireWritable } from './writable.ts';

/** Documents to write, in the order of their new versions. */
export interface WriteSet {
  readonly documents: readonly DocumentWrite[];
  /** Flags that need a new version afterwards. Absent if only a part of the environment was read. */
  readonly owed?: readonly DocumentWrite[];
  /** Use each document's own `updatedAt` (or the next free millisecond) instead of the current time. */
  readonly keepTimestamps?: boolean;
  /**
   * Further writes of the first transaction, at most {@link PROGRESS_COUNT}. They are written even if there are no documents.
   *
   * @param isUnfinished whether further transactions must follow
   */
  readonly progress?: (isUnfinished: boolean) => TransactWriteItem[];
  /** Further writes of the transaction that writes a document, by its name: a plan of at most 400 KB each. */
  readonly along?: ReadonlyMap<string, readonly TransactWriteItem[]>;
  /** What is added to the command in the history. */
  readonly note?: string;
}

/** Maximum number of writes in `progress`: a plan, its due entries, and the entries of its guards. */
export const PROGRESS_COUNT = 8;

/** A document to write. */
export type DocumentWrite = Document & {
  /** Version of the stored document that it replaces. 0 or absent: there is none. */
  readonly replaces?: number;
  /** What it changes, for the history. Absent for a flag that only gets a new version. */
  readonly before?: StoredDocument | undefined;
  /** For segments: `changed` if this write changes the membership, else the stored value to keep. */
  readonly targetedAt?: 'changed' | number;
};

/**
 * Plans the writes that bring an environment to the wanted documents.
 *
 * The set has the documents that differ from the stored ones. Each flag that refers to a segment with changed members
 * then gets a new version, so that client-side SDKs request it. A flag older than such a change still needs its version
 * from an interrupted write. The set includes it.
 *
 * Segments come before flags. In an import into a new environment, all wanted documents are newer than it. They then
 * keep their timestamps and are ordered by them. A flag older than one of its segments gets the next free version
 * after that segment, because a transaction may end between them.
 *
 * @param stored the stored documents: for segments the whole environment, else at least the wanted documents
 * @throws {StoreError} as {@link requireWritable}
 */
export function planWrites(stored: readonly StoredDocument[], wanted: readonly Document[], version: number): WriteSet {
  const storedByName = new Map(stored.map((document) => [formatName(document), document]));
  const changed = wanted.flatMap((document): DocumentWrite[] => {
    const before = storedByName.get(documentName(document));
    const earlier = before && contentOf(before);
    if (earlier && isSame(earlier, document.document)) return [];
    requireWritable(document, earlier);
    const replaces = before?.updatedAt ?? 0;
    if (document.kind === 'flag') return [{ ...document, replaces, before }];
    const isRetargeted = earlier ? !isSameTargeting(earlier as Segment, document.document) : stored.length > 0;
    return [{ ...document, replaces, before, targetedAt: isRetargeted ? 'changed' : (before?.targetedAt ?? 0) }];
  });

  const place = placesOf(changed);
  const keepTimestamps = changed.every((write) => place(write) > version);
  const inOrder = changed.toSorted(
    (a, b) =>
      (keepTimestamps ? place(a) - place(b) : 0) ||
      Number(a.kind === 'flag') - Number(b.kind === 'flag') ||
      own(a) - own(b),
  );
  return { documents: inOrder, owed: flagsOwedANewVersion(stored, changed), keepTimestamps };
}

/** A document's position by its own timestamp. For a flag: the timestamp of its newest segment, if later. */
function placesOf(changed: readonly DocumentWrite[]): (write: DocumentWrite) => number {
  const segmentsAt = new Map(
    changed.flatMap((write) => (write.kind === 'segment' ? [[write.document.id, own(write)] as const] : [])),
  );
  const places = new Map(
    changed.map((write) => {
      const segmentIds = write.kind === 'flag' ? [...referencedSegments(write.document)] : [];
      return [write, Math.max(own(write), ...segmentIds.map((id) => segmentsAt.get(id) ?? 0))];
    }),
  );
  return (write) => places.get(write) ?? 0;
}

function own({ document }: DocumentWrite): number {
  return parseTimestamp(document.updatedAt) ?? 0;
}

function flagsOwedANewVersion(stored: readonly StoredDocument[], changed: readonly DocumentWrite[]): DocumentWrite[] {
  const targetedAt = new Map<string, number>();
  // Only segments have this time.
  for (const { id, targetedAt: at } of stored) if (at > 0) targetedAt.set(id, at);
  for (const write of changed) {
    if (write.targetedAt === 'changed') targetedAt.set(documentId(write), Number.POSITIVE_INFINITY);
  }
  if (targetedAt.size === 0) return [];

  const rewritten = new Set(changed.map((write) => documentName(write)));
  return stored
    .filter(({ kind, id }) => kind === 'flag' && !rewritten.has(formatName({ kind, id })))
    .toSorted((a, b) => a.updatedAt - b.updatedAt)
    .flatMap((flag): DocumentWrite[] => {
      const document = contentOf(flag) as Flag | undefined;
      const isOwed =
        document &&
        // Its version identifies the change that deleted it. It is not served to anyone.
        !document.isDeleted &&
        [...referencedSegments(document)].some((id) => (targetedAt.get(id) ?? 0) > flag.updatedAt);
      return isOwed ? [{ kind: 'flag', document, replaces: flag.updatedAt }] : [];
    });
}

function isSameTargeting(a: Segment, b: Segment): boolean {
  const targeting = ({ included, excluded, rules }: Segment) => JSON.stringify([included, excluded, rules]);
  return targeting(a) === targeting(b);
}
