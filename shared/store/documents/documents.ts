import { keys } from '../table/keys.ts';
import { readItem, readItems } from '../table/read.ts';
import { TableAccess } from '../table/tableAccess.ts';
import type { ReadTable } from '../table/tableRequests.ts';
import { fromItem, type StoredDocument } from './item.ts';
import { loadChanges } from './journal.ts';
import { readStoredSnapshot, type StoredSnapshot } from './storedSnapshot.ts';
import { readVersion, type Version } from './version.ts';

/** Flags and segments, read-only. Reads are strongly consistent, except those of the snapshot. */
export class DocumentReader<Access extends ReadTable = ReadTable> extends TableAccess<Access> {
  /**
   * The version of an environment, which includes all acknowledged writes. @throws {NotFound} if the environment does
   * not exist
   */
  version(envId: string): Promise<Version> {
    return readVersion(this.table, envId);
  }

  /** All flags and segments of an environment, ordered by key. */
  async load(envId: string): Promise<StoredDocument[]> {
    const items = await readItems(this.table, keys.environment(envId).pk);
    return items.flatMap((item) => fromItem(item) ?? []);
  }

  /** All of an environment at an earlier version, for a tenth of the read units. See {@link readStoredSnapshot}. */
  snapshot(envId: string): Promise<StoredSnapshot | undefined> {
    return readStoredSnapshot(this.table, envId);
  }

  /** One flag or segment. @returns undefined if it does not exist */
  async find(envId: string, kind: StoredDocument['kind'], id: string): Promise<StoredDocument | undefined> {
    const item = await readItem(this.table, kind === 'flag' ? keys.flag(envId, id) : keys.segment(envId, id));
    return item && fromItem(item);
  }

  /** The changes after one version and up to another. See {@link loadChanges}. */
  changes(envId: string, after: number, upTo: number): Promise<StoredDocument[] | undefined> {
    return loadChanges(this.table, envId, after, upTo);
  }

  /**
   * The changes between two versions, each as it was written. If the journal is incomplete, it returns the current
   * documents with these versions, in no order.
   */
  async missed(envId: string, after: number, upTo: number): Promise<StoredDocument[]> {
    const changes = await this.changes(envId, after, upTo);
    if (changes) return changes;
    return (await this.load(envId)).filter(({ updatedAt }) => updatedAt > after && updatedAt <= upTo);
  }
}
