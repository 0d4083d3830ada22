import { fromItem, type StoredDocument } from './item.ts';
import { countChanges, loadChanges } from './journal.ts';
import { keys } from './keys.ts';
import { pagesUnder, readItem } from './read.ts';
import { readStoredSnapshot, type StoredSnapshot } from './storedSnapshot.ts';
import type { Table } from './table.ts';
import { readVersion, type Version } from './version.ts';

/** Flags and segments, read-only. Reads are strongly consistent, but for that of the snapshot. */
export class DocumentReader {
  protected readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }

  /** The version of an environment: all acknowledged writes are in it. @throws {NotFound} when there is no such environment */
  version(envId: string): Promise<Version> {
    return readVersion(this.table, envId);
  }

  /** All flags and segments of an environment, in the order of their keys. */
  async load(envId: string): Promise<StoredDocument[]> {
    const documents: StoredDocument[] = [];
    for await (const items of pagesUnder(this.table, keys.environment(envId).pk)) {
      for (const item of items) {
        const document = fromItem(item);
        if (document) documents.push(document);
      }
    }
    return documents;
  }

  /** All of an environment at some earlier version, for a tenth of the read units; see {@link readStoredSnapshot}. */
  snapshot(envId: string): Promise<StoredSnapshot | undefined> {
    return readStoredSnapshot(this.table, envId);
  }

  /** One flag or segment. @returns undefined when there is none */
  async find(envId: string, kind: StoredDocument['kind'], id: string): Promise<StoredDocument | undefined> {
    const item = await readItem(this.table, kind === 'flag' ? keys.flag(envId, id) : keys.segment(envId, id));
    return item && fromItem(item);
  }

  /** What was written after one version and up to another; see {@link loadChanges}. */
  changes(envId: string, after: number, upTo: number): Promise<StoredDocument[] | undefined> {
    return loadChanges(this.table, envId, after, upTo);
  }

  /** How many changes there were after a time; see {@link countChanges}. */
  countChanges(envId: string, after: number): Promise<number> {
    return countChanges(this.table, envId, after);
  }

  /**
   * What somebody missed who is at one version, up to another: each change as it was written; or, where the journal does not
   * hold all of them, the documents of these versions as they are now, in no order.
   */
  async missed(envId: string, after: number, upTo: number): Promise<StoredDocument[]> {
    const changes = await this.changes(envId, after, upTo);
    if (changes) return changes;
    return (await this.load(envId)).filter(({ updatedAt }) => updatedAt > after && updatedAt <= upTo);
  }
}
