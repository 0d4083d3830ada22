import { type Document, formatName } from '../flags/document.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { commit } from './commit.ts';
import { DocumentReader } from './documents.ts';
import { Conflict, NotFound } from './errors.ts';
import { type ChangedDocument, fromHistoryItem, type HistoryEntry } from './historyEntry.ts';
import { requireDocument, type StoredDocument } from './item.ts';
import { keys } from './keys.ts';
import { planWrite } from './plan.ts';
import { pagesUnder } from './read.ts';
import type { Table } from './table.ts';
import { readVersion } from './version.ts';

/** A change with its documents as they were before it and after; without flags that only got a new version. */
export interface Change extends Omit<HistoryEntry, 'documents'> {
  readonly documents: readonly (Omit<ChangedDocument, 'isFollower'> & { readonly after: StoredDocument | undefined })[];
}

/** Who changed what, when, and what it was before. */
export class History {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The changes of an environment, newest first, read page by page. */
  async *entries(envId: string): AsyncGenerator<HistoryEntry> {
    const newestFirst = { ScanIndexForward: false, Limit: 50 };
    for await (const items of pagesUnder(this.#table, keys.history(envId, 0).pk, newestFirst)) {
      for (const item of items) yield fromHistoryItem(item);
    }
  }

  /** The changes of an environment, newest first, with what each document became. */
  async *changes(envId: string): AsyncGenerator<Change> {
    const states = new Map<string, StoredDocument | undefined>();
    for (const document of await new DocumentReader(this.#table).load(envId))
      states.set(formatName(document), document);
    for await (const { documents, ...entry } of this.entries(envId)) {
      const changed = documents.flatMap(({ isFollower, ...document }) => {
        if (isFollower) return [];
        const after = states.get(formatName(document));
        states.set(formatName(document), document.before);
        return [{ ...document, after }];
      });
      yield { ...entry, documents: changed };
    }
  }

  /**
   * An environment's flags and segments as they were at a time.
   *
   * @param at unix milliseconds
   * @throws {NotFound} where the changes since then are not all kept
   */
  async documentsAt(envId: string, at: number): Promise<Document[]> {
    const { updatedAt, writtenAt } = await readVersion(this.#table, envId);
    const states = new Map<string, StoredDocument | undefined>();
    for (const document of await new DocumentReader(this.#table).load(envId))
      states.set(formatName(document), document);
    let [version, since] = [updatedAt, writtenAt];
    for await (const entry of this.entries(envId)) {
      // What was written while this was read is taken back, too.
      if (entry.version > updatedAt) [version, since] = [entry.version, entry.at];
      if (since <= at || entry.version !== version) break;
      for (const document of entry.documents.toReversed()) {
        if (!document.isFollower) states.set(formatName(document), document.before);
      }
      [version, since] = [entry.previous, entry.previousAt];
    }
    if (since > at && version > 0) {
      throw new NotFound(
        `what the environment held at ${formatTimestamp(at)} is not known: its history goes back to ${formatTimestamp(since)}`,
      );
    }
    return [...states.values()].flatMap((stored) => (stored ? [requireDocument(stored)] : []));
  }

  /**
   * Takes a change back: its documents become what they were before it, and those that it made are archived, which is how SDKs
   * learn of an end. This is a change as any other, and can be taken back itself.
   *
   * @param version that of one of its documents, unix milliseconds; the last one's is the change's own
   * @returns what was written, in order
   * @throws {NotFound} where there is no such change (any more)
   * @throws {Conflict} where one of its documents was changed since: that would be lost
   */
  undo(envId: string, version: number): Promise<StoredDocument[]> {
    return commit(this.#table, envId, async (current) => {
      const { entry, changedSince } = await this.#find(envId, version);
      const changed = entry.documents.filter(({ isFollower }) => !isFollower);
      const lost = changed.filter((document) => changedSince.has(formatName(document)));
      if (lost.length > 0) {
        const names = lost.map(formatName).map((name) => `${name} (${changedSince.get(name)})`);
        throw new Conflict(`changed since, which would be lost: ${names.join(', ')}; undo these changes first`);
      }
      const stored = await new DocumentReader(this.#table).load(envId);
      const byName = new Map(stored.map((document) => [formatName(document), document]));
      const wanted = changed.flatMap((document) => former(document, byName.get(formatName(document))));
      return { ...planWrite(stored, wanted, current), keepTimestamps: false };
    });
  }

  /** A change, and what was changed after it, with the change of each. */
  async #find(envId: string, version: number) {
    const changedSince = new Map<string, string>();
    for await (const entry of this.entries(envId)) {
      if (entry.documents.some(({ updatedAt }) => updatedAt === version)) return { entry, changedSince };
      if (entry.version < version) break;
      for (const { isFollower, ...document } of entry.documents) {
        if (!isFollower) changedSince.set(formatName(document), formatTimestamp(entry.version));
      }
    }
    throw new NotFound(`there is no change ${formatTimestamp(version)}; \`history\` shows those there are`);
  }
}

/** What a document was, or its archived form where it was not there. */
function former({ before }: ChangedDocument, stored: StoredDocument | undefined): Document[] {
  if (before) return [requireDocument(before)];
  if (!stored) return [];
  const current = requireDocument(stored);
  return [{ kind: current.kind, document: { ...current.document, isArchived: true } } as Document];
}
