import { problemOfEnd } from '../../evaluation/references.ts';
import { isSame } from '../../flags/content.ts';
import { asArchived, withoutDeleted } from '../../flags/deletion.ts';
import { byKind, type Document, documentName, formatName } from '../../flags/document.ts';
import { requireFreeName } from '../../flags/edits/segmentEdits.ts';
import { InvalidInput } from '../../flags/invalidInput.ts';
import type { Segment } from '../../flags/segment.ts';
import { formatTimestamp } from '../../flags/timestamp.ts';
import { commit } from '../documents/commit.ts';
import { DocumentReader } from '../documents/documents.ts';
import { type ChangedDocument, fromHistoryItem, type HistoryEntry } from '../documents/historyEntry.ts';
import { contentOf, readableDocument, requireDocument, type StoredDocument } from '../documents/item.ts';
import { readVersion } from '../documents/version.ts';
import { planWrites } from '../documents/writeSet.ts';
import { Conflict, NotFound } from '../table/errors.ts';
import { keys } from '../table/keys.ts';
import { itemsUnder, sortKeys } from '../table/read.ts';
import { TableAccess } from '../table/tableAccess.ts';

type DocumentChange = Omit<ChangedDocument, 'isFollower'> & { readonly after: StoredDocument | undefined };

/**
 * A change of one or several transactions, with its documents before and after it. Flags that only got a new version are left
 * out. The version of the first transaction identifies it.
 */
export interface Change extends Omit<HistoryEntry, 'documents' | 'change'> {
  /** All versions that it wrote, including those of flags that only got a new version. */
  readonly versions: readonly number[];
  readonly documents: readonly DocumentChange[];
  /** The present name of a segment, also of a deleted one. */
  readonly segmentName: (id: string) => string;
}

/** An environment at a past time. */
export interface PastState {
  /** Unix milliseconds. 0 if it was before the first change. */
  readonly version: number;
  readonly documents: readonly StoredDocument[];
}

/** The history: who changed what and when, and the previous documents. */
export class History extends TableAccess {
  /**
   * The changes of an environment, newest first, read page by page.
   *
   * @param before only changes before this version
   */
  async *entries(envId: string, before?: number): AsyncGenerator<HistoryEntry> {
    const { pk, sk } = keys.history(envId, before ?? 0);
    const earlier = before === undefined ? {} : sortKeys('<', sk);
    const newestFirst = { ...earlier, ScanIndexForward: false, Limit: 50 };
    for await (const item of itemsUnder(this.table, pk, newestFirst)) yield fromHistoryItem(item);
  }

  /** The transaction that wrote a version. @returns undefined if it has expired */
  async entryOf(envId: string, version: number): Promise<HistoryEntry | undefined> {
    const { pk, sk } = keys.history(envId, version);
    const from = { ...sortKeys('>=', sk), Limit: 1 };
    for await (const item of itemsUnder(this.table, pk, from)) return fromHistoryItem(item);
    return undefined;
  }

  /** The changes of an environment, newest first, with the new state of each document. */
  async *changes(envId: string): AsyncGenerator<Change> {
    yield* this.#changesBefore(envId, await new DocumentReader(this.table).load(envId));
  }

  /** @param present the documents of the environment */
  async *#changesBefore(envId: string, present: readonly StoredDocument[]): AsyncGenerator<Change> {
    const states = new Map<string, StoredDocument | undefined>(present.map((each) => [formatName(each), each]));
    // Of changes whose first transaction is still to come: all parts of one change are about as old.
    const later = new Map<number, Pick<Change, 'versions' | 'documents' | 'signedBy'>>();
    const segmentName = segmentNames(present);
    for await (const { documents, change, ...entry } of this.entries(envId)) {
      const changed = documents.flatMap(({ isFollower, ...document }) => {
        if (isFollower) return [];
        const after = states.get(formatName(document));
        states.set(formatName(document), document.before);
        return [{ ...document, after }];
      });
      const rest = later.get(change);
      const parts = {
        versions: [...documents.map(({ updatedAt }) => updatedAt), ...(rest?.versions ?? [])],
        documents: [...changed, ...(rest?.documents ?? [])],
        // Otherwise an editor could add a part to the change of somebody who was signed in.
        signedBy: !rest || rest.signedBy === entry.signedBy ? entry.signedBy : undefined,
      };
      if (entry.version === change) {
        later.delete(change);
        yield { ...entry, ...parts, segmentName };
      } else {
        later.set(change, parts);
      }
    }
  }

  /**
   * An environment's flags and segments at a past time: those of the last version that was written at or before it.
   *
   * @param at unix milliseconds
   * @throws {NotFound} if some changes since then have expired, or the time is in the future
   */
  async stateAt(envId: string, at: number): Promise<PastState> {
    const { updatedAt, writtenAt } = await readVersion(this.table, envId);
    const now = this.table.effects.now();
    // The clock of the last writer can be ahead of this one.
    if (at > Math.max(now, writtenAt)) {
      throw new NotFound(
        `the environment at ${formatTimestamp(at)} is not known: the time is in the future, it is ${formatTimestamp(now)} now`,
      );
    }
    const states = new Map<string, StoredDocument | undefined>();
    for (const document of await new DocumentReader(this.table).load(envId)) states.set(formatName(document), document);
    let [version, since] = [updatedAt, writtenAt];
    for await (const entry of this.entries(envId)) {
      // Also reverts writes that happened during the read.
      if (entry.version > updatedAt) [version, since] = [entry.version, entry.at];
      if (since <= at || entry.version !== version) break;
      for (const document of entry.documents.toReversed()) {
        if (!document.isFollower) states.set(formatName(document), document.before);
      }
      [version, since] = [entry.previous, entry.previousAt];
    }
    if (since > at && version > 0) {
      throw new NotFound(
        `the environment at ${formatTimestamp(at)} is not known: its history goes back to ${formatTimestamp(since)}`,
      );
    }
    return { version, documents: [...states.values()].flatMap((stored) => stored ?? []) };
  }

  /**
   * Undoes a change with all of its transactions. Its documents return to their previous state. Documents that it created are
   * archived, so that SDKs drop them. The undo is itself a change, and can be undone. Documents that are already in their
   * previous state stay as they are, so repeating an interrupted undo completes it.
   *
   * @param version one of the versions that the change wrote, unix milliseconds
   * @returns the written documents, in order. Empty if all documents are in their previous state
   * @throws {NotFound} if the change does not exist or has expired
   * @throws {Conflict} if a later change of a document would be lost, or if the undo would break a rule: two segments of one
   *   name, or an archived segment that flags refer to
   */
  undo(envId: string, version: number): Promise<StoredDocument[]> {
    return commit(this.table, envId, async (current) => {
      const stored = await new DocumentReader(this.table).load(envId);
      const present = new Map(stored.map((document) => [formatName(document), document]));
      const { documents, since } = await this.#find(envId, version, stored);
      const wanted = new Map<string, Document>();
      const lost: string[] = [];
      for (const [name, { before, after }] of documents) {
        const now = present.get(name);
        const former = formerOf(before, now);
        if (!now || !former) continue;
        wanted.set(name, former);
        const [is, was] = [contentOf(now), contentOf(after)];
        const isReplaceable = isUnchanged(now, after) || (is?.isDeleted && was?.isDeleted);
        if (isReplaceable || (is && isSame(is, former.document))) continue;
        if (is && was?.isDeleted && !is.isDeleted && is.id !== was.id) throw keyInUse(now, is);
        lost.push(`${name} (${formatTimestamp(since.get(name) ?? now.updatedAt)})`);
      }
      if (lost.length > 0) throw new Conflict(`later changes would be lost: ${lost.join(', ')}; undo these first`);
      requireConsistent(present, wanted);
      return { ...planWrites(stored, [...wanted.values()], current), keepTimestamps: false };
    });
  }

  /** The documents of a change, and for each the later change that made its present state. */
  async #find(envId: string, version: number, stored: readonly StoredDocument[]) {
    const present = new Map(stored.map((document) => [formatName(document), document]));
    const since = new Map<string, number>();
    for await (const change of this.#changesBefore(envId, stored)) {
      if (change.versions.includes(version)) return { documents: byName(change.documents), since };
      for (const document of change.documents) {
        const name = formatName(document);
        if (isUnchanged(present.get(name), document.after)) since.set(name, change.version);
      }
    }
    throw new NotFound(`there is no change ${formatTimestamp(version)}; \`history\` shows those there are`);
  }
}

function segmentNames(stored: readonly StoredDocument[]): Change['segmentName'] {
  const segments = new Map(stored.flatMap((each) => (each.kind === 'segment' ? [[each.id, each]] : [])));
  const names = new Map<string, string>();
  return (id) => {
    const name = names.get(id) ?? contentOf(segments.get(id))?.name ?? id;
    names.set(id, name);
    return name;
  };
}

/** The documents of a change before and after it. A document that two transactions wrote counts once. */
function byName(documents: readonly DocumentChange[]): Map<string, Pick<DocumentChange, 'before' | 'after'>> {
  const found = new Map<string, Pick<DocumentChange, 'before' | 'after'>>();
  for (const document of documents) {
    const name = formatName(document);
    const earlier = found.get(name);
    found.set(name, { before: earlier ? earlier.before : document.before, after: document.after });
  }
  return found;
}

/** A document's previous state. If there was none, its archived form. */
function formerOf(before: StoredDocument | undefined, now: StoredDocument | undefined): Document | undefined {
  if (before) return requireDocument(before);
  return now && asArchived(requireDocument(now));
}

/** Whether a document has the same content as at another time. */
function isUnchanged(now: StoredDocument | undefined, then: StoredDocument | undefined): boolean {
  if (now === then) return true;
  const [is, was] = [contentOf(now), contentOf(then)];
  return is !== undefined && was !== undefined && isSame(is, was);
}

function keyInUse({ kind, id }: StoredDocument, { name }: Document['document']): Conflict {
  return new Conflict(
    `another ${kind}, named "${name}", has the key "${id}" now. Delete that ${kind} first, then repeat the undo`,
  );
}

/** @throws {Conflict} if an undo or a plan breaks a rule that every change of a segment must keep */
export function requireConsistent(
  stored: ReadonlyMap<string, StoredDocument>,
  wanted: ReadonlyMap<string, Document>,
): void {
  const readable = [...stored.values()].flatMap((each) => readableDocument(each) ?? []);
  const present = new Map(readable.map((document) => [documentName(document), document]));
  const all = withoutDeleted([...new Map([...present, ...wanted]).values()]);
  for (const [key, { kind, document }] of wanted) {
    if (kind !== 'segment') continue;
    const { id, name, isArchived, isDeleted } = document;
    const before = present.get(key)?.document;
    if (!isDeleted && (before?.isDeleted || before?.name !== name)) requireName(byKind(all).segments, id, name);
    const problem =
      isArchived && !before?.isArchived ? problemOfEnd(id, isDeleted ? 'deleted' : 'archived', all) : undefined;
    if (problem) throw new Conflict(`segment "${name}" ${problem}. Remove it from their rules first`);
  }
}

function requireName(segments: readonly Segment[], id: string, name: string): void {
  try {
    requireFreeName(segments, id, name);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw new Conflict(
      `segment "${id}" cannot have its name "${name}" back: ${error.message}. Rename or delete that segment first`,
    );
  }
}
