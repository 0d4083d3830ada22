import { referencedSegments } from '../evaluation/flag.ts';
import { type Document, documentId, documentName, formatName } from '../flags/document.ts';
import type { Flag } from '../flags/flag.ts';
import type { Segment } from '../flags/segment.ts';
import { parseTimestamp } from '../flags/timestamp.ts';
import { contentOf, type StoredDocument } from './item.ts';

/** Documents to write, in the order of their new versions. */
export interface Plan {
  readonly documents: readonly PlannedDocument[];
  /** Flags that are owed a new version, to follow; absent where the plan has not looked at all of the environment. */
  readonly owed?: readonly PlannedDocument[];
  /** Give each its own `updatedAt` (or the next free millisecond) in place of the present time. */
  readonly keepTimestamps?: boolean;
}

/** A document to write. */
export type PlannedDocument = Document & {
  /** Version of the stored document that it takes the place of; 0 or absent: there is none. */
  readonly replaces?: number;
  /** What it changes, for the history; absent for a flag that only gets a new version. */
  readonly before?: StoredDocument | undefined;
  /** For segments: `changed` when who belongs to it changes by this write, else the stored value to carry on. */
  readonly targetedAt?: 'changed' | number;
};

/**
 * What has to be written so that an environment holds the wanted documents: those that differ from what is stored, and
 * then every flag that refers to a segment whose members changed, given a new version so that client-side SDKs ask for
 * it. A flag older than such a change is still owed its new version, from a write that was interrupted: it is paid here.
 *
 * Segments come before flags. Where the wanted documents are all newer than the environment (an import into a fresh
 * one) they come in the order of their own timestamps, and keep them; but a flag never comes before a segment that it
 * refers to, and gets the next free version after it instead: there may be a transaction between them.
 *
 * @param stored what is in the table: all of the environment for segments, else at least the wanted documents
 */
export function planWrite(stored: readonly StoredDocument[], wanted: readonly Document[], version: number): Plan {
  const storedByName = new Map(stored.map((document) => [formatName(document), document]));
  const changed = wanted.flatMap((document): PlannedDocument[] => {
    const before = storedByName.get(documentName(document));
    const earlier = before && contentOf(before);
    if (earlier && isSame(earlier, document.document)) return [];
    const replaces = before?.updatedAt ?? 0;
    if (document.kind === 'flag') return [{ ...document, replaces, before }];
    const isRetargeted = earlier ? !isSameTargeting(earlier as Segment, document.document) : stored.length > 0;
    return [{ ...document, replaces, before, targetedAt: isRetargeted ? 'changed' : (before?.targetedAt ?? 0) }];
  });

  const place = placesOf(changed);
  const keepTimestamps = changed.every((planned) => place(planned) > version);
  const inOrder = changed.toSorted(
    (a, b) =>
      (keepTimestamps ? place(a) - place(b) : 0) ||
      Number(a.kind === 'flag') - Number(b.kind === 'flag') ||
      own(a) - own(b),
  );
  return { documents: inOrder, owed: flagsOwedANewVersion(stored, changed), keepTimestamps };
}

/** Where a document belongs by its own timestamp; a flag at its newest segment's, if that is later. */
function placesOf(changed: readonly PlannedDocument[]): (planned: PlannedDocument) => number {
  const segmentsAt = new Map(
    changed.flatMap((planned) => (planned.kind === 'segment' ? [[planned.document.id, own(planned)] as const] : [])),
  );
  const places = new Map(
    changed.map((planned) => {
      const segmentIds = planned.kind === 'flag' ? [...referencedSegments(planned.document)] : [];
      return [planned, Math.max(own(planned), ...segmentIds.map((id) => segmentsAt.get(id) ?? 0))];
    }),
  );
  return (planned) => places.get(planned) ?? 0;
}

function own({ document }: PlannedDocument): number {
  return parseTimestamp(document.updatedAt) ?? 0;
}

function flagsOwedANewVersion(
  stored: readonly StoredDocument[],
  changed: readonly PlannedDocument[],
): PlannedDocument[] {
  const targetedAt = new Map<string, number>();
  // Only segments have such a time.
  for (const { id, targetedAt: at } of stored) if (at > 0) targetedAt.set(id, at);
  for (const planned of changed) {
    if (planned.targetedAt === 'changed') targetedAt.set(documentId(planned), Number.POSITIVE_INFINITY);
  }
  if (targetedAt.size === 0) return [];

  const rewritten = new Set(changed.map((planned) => documentName(planned)));
  return stored
    .filter(({ kind, id }) => kind === 'flag' && !rewritten.has(formatName({ kind, id })))
    .toSorted((a, b) => a.updatedAt - b.updatedAt)
    .flatMap((flag): PlannedDocument[] => {
      const document = contentOf(flag) as Flag | undefined;
      const isOwed =
        document &&
        // Its version names the change that deleted it, and nobody is served it.
        !document.isDeleted &&
        [...referencedSegments(document)].some((id) => (targetedAt.get(id) ?? 0) > flag.updatedAt);
      return isOwed ? [{ kind: 'flag', document, replaces: flag.updatedAt }] : [];
    });
}

/** Whether two documents say the same, whatever their versions. */
export function isSame(a: Document['document'], b: Document['document']): boolean {
  const content = (document: Document['document']) =>
    JSON.stringify({ ...document, envId: undefined, updatedAt: undefined });
  return content(a) === content(b);
}

function isSameTargeting(a: Segment, b: Segment): boolean {
  const targeting = ({ included, excluded, rules }: Segment) => JSON.stringify([included, excluded, rules]);
  return targeting(a) === targeting(b);
}
