import { asArchived, withoutDeleted } from '../../flags/deletion.ts';
import { type Document, documentId, documentName, formatName } from '../../flags/document.ts';
import { type Flag, problemOfNewKey } from '../../flags/flag.ts';
import { parseDocument } from '../../flags/parseDocument.ts';
import { formatProblem } from '../../flags/problem.ts';
import type { Segment } from '../../flags/segment.ts';
import { problemOfUserKeys, withCleanUserKeys } from '../../flags/userKeys.ts';
import { InvalidDocument } from '../table/errors.ts';
import type { Table } from '../table/table.ts';
import { commit } from './commit.ts';
import { DocumentReader } from './documents.ts';
import { requireDocument, type StoredDocument } from './item.ts';
import { planWrites, type WriteSet } from './writeSet.ts';

/** Flags and segments. Writes check what they leave, and are seen by SDKs in the order of their versions. */
export class Documents extends DocumentReader<Table> {
  /**
   * Changes one flag. SDKs see it as one push.
   *
   * @param change makes the new flag from the stored one (undefined: there is none; it may throw to refuse), and is given the deleted
   *   one whose place the new one takes
   * @returns what was written; empty when nothing changed
   * @throws {InvalidDocument} when the result is no valid flag
   */
  writeFlag(
    envId: string,
    key: string,
    change: (flag: Flag | undefined, deleted: Flag | undefined) => Flag,
  ): Promise<StoredDocument[]> {
    return this.carryOut(envId, async (version) => {
      const stored = await this.find(envId, 'flag', key);
      const earlier = stored && requireDocument(stored);
      const before = earlier?.document as Flag | undefined;
      const changed = before?.isDeleted ? change(undefined, before) : change(before, undefined);
      const problem = before && !before.isDeleted ? undefined : problemOfNewKey(key);
      if (problem !== undefined)
        throw new InvalidDocument(`flag "${key}" would not be valid: ${problem}; nothing was written`);
      const flag = completed(key, { kind: 'flag', document: changed }, earlier);
      return { documents: planWrites(stored ? [stored] : [], [flag], version).documents };
    });
  }

  /**
   * Changes one segment. When its members change, the flags that refer to it get new versions after it, so that
   * client-side SDKs receive them anew; server-side SDKs receive the segment.
   *
   * @param change as in {@link Documents.writeFlag}, with the documents of the environment to check against
   */
  writeSegment(
    envId: string,
    id: string,
    change: (segment: Segment | undefined, all: readonly Document[]) => Segment,
  ): Promise<StoredDocument[]> {
    return this.carryOut(envId, async (version) => {
      const stored = await this.load(envId);
      const all = withoutDeleted(stored.map(requireDocument));
      const before = all.find((document) => document.kind === 'segment' && document.document.id === id);
      const changed = change(before?.document as Segment | undefined, all);
      const segment = completed(id, { kind: 'segment', document: changed }, before);
      return { ...planWrites(stored, [segment], version), keepTimestamps: false };
    });
  }

  /**
   * Changes several documents at once: one change in the history, but for more than one transaction holds.
   *
   * @param change makes the documents to write from all that are stored, deleted ones too (it may throw to refuse); called again when
   *   another writer was first, or after a part was written. Documents that cannot be read stop no change of others: it gets their
   *   errors by name (`formatName`)
   * @returns what was written, in order; empty when nothing changed
   * @throws {InvalidDocument} when one of them is not valid
   * @throws when one of them would replace a document that cannot be read
   */
  writeAll(
    envId: string,
    change: (all: readonly Document[], unreadable: ReadonlyMap<string, Error>) => readonly Document[],
  ): Promise<StoredDocument[]> {
    return this.carryOut(envId, async (version) => {
      const stored = await this.load(envId);
      const all: Document[] = [];
      const unreadable = new Map<string, Error>();
      for (const each of stored) {
        try {
          all.push(requireDocument(each));
        } catch (error) {
          unreadable.set(formatName(each), error as Error);
        }
      }
      const wanted = change(all, unreadable).map((each) => validated(each));
      for (const document of wanted) {
        const error = unreadable.get(documentName(document));
        if (error) throw error;
      }
      return { ...planWrites(stored, wanted, version), keepTimestamps: false };
    });
  }

  /**
   * Brings an environment to hold the given documents: those of the same name are overwritten where they differ, and all others
   * left alone, so an import that was interrupted is finished by running it again. Into a fresh environment documents keep their
   * `updatedAt`, so that SDKs which move over keep their cursors. A deleted document is written where there is nothing of its name.
   *
   * @param archived names of other documents to archive (`formatName`)
   * @returns what was written, in order
   * @throws {InvalidDocument} when two of them have one name
   */
  async import(
    envId: string,
    documents: readonly Document[],
    archived: ReadonlySet<string> = new Set(),
  ): Promise<StoredDocument[]> {
    const seen = new Set<string>();
    for (const document of documents) {
      const name = documentName(document);
      if (seen.has(name))
        throw new InvalidDocument(`${name} is there twice; nothing was written. Leave one of them out.`);
      seen.add(name);
    }
    return this.carryOut(envId, async (version) => {
      const stored = await this.load(envId);
      const taken = new Set(stored.map(formatName));
      const wanted = documents.filter((document) => !document.document.isDeleted || !taken.has(documentName(document)));
      const lacking = stored.filter((each) => archived.has(formatName(each))).map(requireDocument);
      return planWrites(stored, [...wanted, ...lacking.map(asArchived)], version);
    });
  }

  /** What happens to changes: they are written. @param prepare as in {@link commit} */
  protected carryOut(envId: string, prepare: (version: number) => Promise<WriteSet>): Promise<StoredDocument[]> {
    return commit(this.table, envId, prepare);
  }
}

/**
 * A document as it is written: as the parser returns it, and {@link withCleanUserKeys}.
 *
 * @throws {InvalidDocument} also for a new user key with a control character, and for another name: the document would take the place of
 *   one that nobody has looked at
 */
function completed(id: string, wanted: Document, before: Document | undefined): Document {
  const document = withCleanUserKeys(validated(wanted, id), before);
  const problem = problemOfUserKeys(document, before);
  if (problem !== undefined)
    throw new InvalidDocument(`${documentName(document)} would not be valid: ${problem}; nothing was written`);
  if (documentId(document) === id) return document;
  throw new InvalidDocument(
    `${document.kind} "${id}" cannot become "${documentId(document)}"; nothing was written. Names stay: create another one and archive this.`,
  );
}

/** A document as the parser returns it. @throws {InvalidDocument} */
export function validated(wanted: Document, id = documentId(wanted)): Document {
  const { kind } = wanted;
  const result = parseDocument(kind, wanted.document);
  if (result.ok) return result.value;
  const errors = result.problems.filter(({ severity }) => severity === 'error').map(formatProblem);
  throw new InvalidDocument(`${kind} "${id}" would not be valid; nothing was written:\n  ${errors.join('\n  ')}`);
}
