import { ConditionalCheckFailedException, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from './attributes.ts';
import {
  bringUpToDate,
  type DocumentSource,
  loadAtVersion,
  observe,
  SETTLE_MS,
  type VersionedDocuments,
} from './consistentRead.ts';
import { DocumentReader } from './documents.ts';
import { NotFound } from './errors.ts';
import { type Key, keys } from './keys.ts';
import { pagesUnder } from './read.ts';
import { digestSnapshot, packDocuments, readPointer, SNAPSHOT_COPIES, type StoredSnapshot } from './storedSnapshot.ts';
import type { Table } from './table.ts';

/** Bytes of a chunk: an item holds 400 KB. */
const CHUNK_BYTES = 350_000;

/**
 * The most that a snapshot may take in bytes, some 10,000 flags: all copies together cost 4,000 write units then, what a new
 * table takes in a second. Larger environments have none.
 */
const SNAPSHOT_LIMIT_BYTES = 1_000_000;

/** What an environment holds before its first write. */
const EMPTY: StoredSnapshot = { version: 0, documents: [] };

interface CopyToWrite {
  readonly envId: string;
  readonly version: number;
  readonly bytes: Uint8Array;
  readonly copy: number;
  readonly slot: number;
  /** The monotonic time from which on nothing is begun any more. */
  readonly until: number;
}

/** Writes compressed snapshots of environments to the flags table. */
export class SnapshotWriter {
  readonly #table: Table;
  readonly #source: DocumentSource;

  constructor(table: Table) {
    this.#table = table;
    this.#source = { documents: new DocumentReader(table), effects: table.effects };
  }

  /** The version and the time, unix milliseconds, of the oldest copy; zeros where one is missing. */
  async oldest(envId: string): Promise<{ version: number; writtenAt: number }> {
    const pointers = await this.#pointers(envId);
    const least = (of: 'version' | 'writtenAt') => Math.min(...pointers.map((pointer) => pointer?.[of] ?? 0));
    return { version: least('version'), writtenAt: least('writtenAt') };
  }

  /**
   * Writes an environment's snapshot anew in all copies: from the one before and the journal where that leads to the
   * version, else from all documents.
   *
   * A copy that is newer already stays. Where this is interrupted each copy is whole, the old one or the new one; where two
   * do it at the same time a copy may be mixed, which its digest tells readers.
   *
   * @param until the monotonic time from which on nothing is begun any more
   * @returns its version; undefined where none was written, as the environment is gone, too large or changing too fast
   * @throws {Error} when the time is over
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
      // Whoever deletes the environment looks for snapshots after its versions are gone.
      await this.#source.documents.version(envId);
      for (const copy of copies) if (copy.status === 'rejected') throw copy.reason;
      return updatedAt;
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      await removeSnapshots(this.#table, envId);
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
    // From then on a query shows all of the version.
    await effects.pause(SETTLE_MS + 1);
    this.#requireTime(until);
    return loadAtVersion(this.#source, envId, loaded.observation);
  }

  /** Writes chunks to the slot that the pointer does not name, then the pointer; stops where it meets something newer. */
  async #writeCopy({ envId, version, bytes, copy, slot, until }: CopyToWrite): Promise<void> {
    const { effects, name } = this.#table;
    const chunks = Math.ceil(bytes.length / CHUNK_BYTES);
    for (let n = 0; n < chunks; n++) {
      this.#requireTime(until);
      const part = bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES);
      const isWritten = await this.#put(keys.snapshotChunk(envId, copy, slot, n), version, { bytes: { B: part } });
      if (!isWritten) return;
    }
    await this.#put(keys.snapshotPointer(envId, copy), version, {
      slot: { N: String(slot) },
      chunks: { N: String(chunks) },
      digest: { S: digestSnapshot(bytes) },
      writtenAt: { N: String(effects.now()) },
      table: { S: name },
    });
  }

  /** @throws {Error} when the time is over */
  #requireTime(until: number): void {
    if (this.#table.effects.monotonic() >= until) throw new Error('no time is left to write the snapshot');
  }

  #pointers(envId: string) {
    return Promise.all(Array.from({ length: SNAPSHOT_COPIES }, (_, copy) => readPointer(this.#table, envId, copy)));
  }

  /** Puts an item, unless a newer one is there. @returns whether it did */
  async #put(key: Key, version: number, attributes: Item): Promise<boolean> {
    const put = new PutItemCommand({
      TableName: this.#table.name,
      Item: { ...key, version: { N: String(version) }, ...attributes },
      ConditionExpression: 'attribute_not_exists(version) OR version <= :version',
      ExpressionAttributeValues: { ':version': { N: String(version) } },
    });
    try {
      await this.#table.client.send(put);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}

/** Deletes all copies of an environment's snapshot. */
export async function removeSnapshots(table: Table, envId: string): Promise<void> {
  for (let copy = 0; copy < SNAPSHOT_COPIES; copy++) {
    const { pk } = keys.snapshotPointer(envId, copy);
    for await (const items of pagesUnder(table, pk, { ProjectionExpression: 'pk, sk' })) {
      for (const { pk, sk } of items as unknown as Key[]) {
        await table.client.send(new DeleteItemCommand({ TableName: table.name, Key: { pk, sk } }));
      }
    }
  }
}
