import { DocumentReader } from '../documents/documents.ts';
import {
  digestSnapshot,
  packDocuments,
  readPointer,
  SNAPSHOT_COPIES,
  type StoredSnapshot,
} from '../documents/storedSnapshot.ts';
import { NotFound } from '../table/errors.ts';
import { type Key, keys } from '../table/keys.ts';
import { itemsUnder } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { TableAccess } from '../table/tableAccess.ts';
import { deleteItem, putItem } from '../table/write.ts';
import {
  bringUpToDate,
  type DocumentSource,
  loadAtVersion,
  observe,
  SETTLE_MS,
  type VersionedDocuments,
} from './consistentRead.ts';

/** Size of a chunk, in bytes. An item holds 400 KB. */
const CHUNK_BYTES = 350_000;

/**
 * Maximum size of a snapshot in bytes: about 10,000 flags. All copies then cost 4,000 write units, as many as a new
 * table takes in a second. Larger environments have no snapshot.
 */
const SNAPSHOT_LIMIT_BYTES = 1_000_000;

/** An environment's contents before its first write. */
const EMPTY: StoredSnapshot = { version: 0, documents: [] };

interface CopyToWrite {
  readonly envId: string;
  readonly version: number;
  readonly bytes: Uint8Array;
  readonly copy: number;
  readonly slot: number;
  /** The monotonic time after which no further step starts. */
  readonly until: number;
}

/** Writes compressed snapshots of environments to the flags table. */
export class SnapshotWriter extends TableAccess {
  readonly #source: DocumentSource = { documents: new DocumentReader(this.table), effects: this.table.effects };

  /** The version and time (unix milliseconds) of the oldest copy. Zeros if a copy is missing. */
  async oldest(envId: string): Promise<{ version: number; writtenAt: number }> {
    const pointers = await this.#pointers(envId);
    const least = (of: 'version' | 'writtenAt') => Math.min(...pointers.map((pointer) => pointer?.[of] ?? 0));
    return { version: least('version'), writtenAt: least('writtenAt') };
  }

  /**
   * Rewrites all copies of an environment's snapshot. It starts from the previous snapshot and the journal if they lead
   * to the version, else from all documents.
   *
   * A newer copy is kept. After an interruption, each copy is complete, old or new. Two concurrent writers may mix a
   * copy. Its digest reveals that to readers.
   *
   * @param until the monotonic time after which no further step starts
   * @returns its version; undefined if the environment is gone, too large or changes too fast
   * @throws {Error} if the time is over
   */
  async rewrite(envId: string, until = Number.POSITIVE_INFINITY): Promise<number | undefined> {
    try {
      const read = await this.#read(envId, until);
      const bytes = read.isFinal ? packDocuments(read.documents) : undefined;
      if (!bytes || bytes.length > SNAPSHOT_LIMIT_BYTES) return undefined;
      const { updatedAt } = read.observation.version;
      const pointers = await this.#pointers(envId);
      const copies = await Promise.allSettled(
        pointers.map((pointer, copy) =>
          this.#writeCopy({ envId, version: updatedAt, bytes, copy, slot: pointer?.slot === 0 ? 1 : 0, until }),
        ),
      );
      // A deletion of the environment looks for snapshots after it has removed its versions.
      await this.#source.documents.version(envId);
      for (const copy of copies) if (copy.status === 'rejected') throw copy.reason;
      return updatedAt;
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      await removeSnapshots(this.table, envId);
      return undefined;
    }
  }

  async #read(envId: string, until: number): Promise<VersionedDocuments> {
    const { documents, effects } = this.#source;
    const asked = observe(effects, await documents.version(envId), undefined);
    const before = (await documents.snapshot(envId)) ?? EMPTY;
    const read = await bringUpToDate(this.#source, envId, asked, before);
    if (read) return read;
    this.#requireTime(until);
    const loaded = await loadAtVersion(this.#source, envId, asked);
    if (loaded.isFinal) return loaded;
    // After this pause, a query shows all of the version.
    await effects.pause(SETTLE_MS + 1);
    this.#requireTime(until);
    return loadAtVersion(this.#source, envId, loaded.observation);
  }

  /** Writes chunks to the slot that the pointer does not name, then the pointer. Stops if a newer item exists. */
  async #writeCopy({ envId, version, bytes, copy, slot, until }: CopyToWrite): Promise<void> {
    const { effects, name } = this.table;
    const unlessNewer = { condition: 'attribute_not_exists(version) OR version <= :version', values: { version } };
    const chunks = Math.ceil(bytes.length / CHUNK_BYTES);
    for (let n = 0; n < chunks; n++) {
      this.#requireTime(until);
      const part = bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES);
      const chunk = { version, bytes: { B: part } };
      if (!(await putItem(this.table, keys.snapshotChunk(envId, copy, slot, n), chunk, unlessNewer))) return;
    }
    const pointer = { slot, chunks, digest: digestSnapshot(bytes), writtenAt: effects.now(), table: name };
    await putItem(this.table, keys.snapshotPointer(envId, copy), { ...pointer, version }, unlessNewer);
  }

  /** @throws {Error} if the time is over */
  #requireTime(until: number): void {
    if (this.table.effects.monotonic() >= until) throw new Error('no time is left to write the snapshot');
  }

  #pointers(envId: string) {
    return Promise.all(Array.from({ length: SNAPSHOT_COPIES }, (_, copy) => readPointer(this.table, envId, copy)));
  }
}

/** Deletes all copies of an environment's snapshot. */
export async function removeSnapshots(table: Table, envId: string): Promise<void> {
  for (let copy = 0; copy < SNAPSHOT_COPIES; copy++) {
    const { pk } = keys.snapshotPointer(envId, copy);
    const found = itemsUnder(table, pk, { ProjectionExpression: 'pk, sk' });
    for await (const key of found) await deleteItem(table, key as unknown as Key);
  }
}
