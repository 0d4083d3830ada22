import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Item, numberIn, textIn } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { readItem, readItems, sortKeysBetween } from '../table/read.ts';
import type { ReadTable } from '../table/tableRequests.ts';
import type { StoredDocument } from './item.ts';

/**
 * Number of copies of a snapshot, each under its own partition key. A new instance reads one of them. One DynamoDB
 * partition serves 3,000 read units a second. A rewrite pays for all copies.
 */
export const SNAPSHOT_COPIES = 4;

/**
 * Maximum size of a snapshot's documents, uncompressed. An instance that starts holds them and the compiled flags in
 * memory.
 */
const PLAIN_LIMIT_BYTES = 32_000_000;

/** All documents of an environment at one version, compressed in the table for instances that start. */
export interface StoredSnapshot {
  /** The environment's version of these documents. */
  readonly version: number;
  readonly documents: readonly StoredDocument[];
}

/** The chunks of a copy that are the current snapshot. Written after them, so that it never names a missing chunk. */
export interface SnapshotPointer {
  readonly version: number;
  /** Chunks alternate between two slots. The other slot holds the snapshot that readers may be reading. */
  readonly slot: number;
  readonly chunks: number;
  /** SHA-256 of the chunks together. */
  readonly digest: string;
  /** Write time by the writer's clock, unix milliseconds. */
  readonly writtenAt: number;
  /** The table that it was written to. A restored table has another name, and its snapshot is ignored. */
  readonly table: string;
}

/** A document in a snapshot. Compressed bodies are decompressed, because all documents together compress better. */
interface PackedDocument extends Omit<StoredDocument, 'body' | 'envId'> {
  readonly text: string;
}

/**
 * Compresses documents in the order of their names, so that the same documents give the same bytes.
 *
 * @returns undefined if they are too large uncompressed
 */
export function packDocuments(documents: readonly StoredDocument[]): Buffer | undefined {
  const packed: PackedDocument[] = [];
  let bytes = 0;
  for (const { envId: _, body, ...stamp } of documents) {
    const text = textOf(body);
    bytes += text.length;
    if (bytes > PLAIN_LIMIT_BYTES) return undefined;
    packed.push({ ...stamp, text });
  }
  packed.sort((a, b) => (`${a.kind}#${a.id}` < `${b.kind}#${b.id}` ? -1 : 1));
  return gzipSync(JSON.stringify(packed));
}

/** The digest by which a reader verifies that it has all chunks of one snapshot. */
export function digestSnapshot(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A copy's pointer. @returns undefined if it is missing, or was written to another table */
export async function readPointer(
  table: ReadTable,
  envId: string,
  copy: number,
  consistency?: { readonly ConsistentRead: boolean },
): Promise<SnapshotPointer | undefined> {
  const item = await readItem(table, keys.snapshotPointer(envId, copy), consistency);
  return item && textIn(item, 'table') === table.name ? toPointer(item) : undefined;
}

/**
 * Reads an environment's snapshot with eventual consistency, from a random copy. It may have any age. The journal leads
 * from it to the environment's version.
 *
 * @returns undefined if it is missing, a chunk is missing or belongs to another snapshot, or the table was restored
 */
export async function readStoredSnapshot(table: ReadTable, envId: string): Promise<StoredSnapshot | undefined> {
  const copy = Math.floor(table.effects.random() * SNAPSHOT_COPIES);
  const pointer = await readPointer(table, envId, copy, { ConsistentRead: false });
  if (!pointer) return undefined;
  const chunk = (n: number) => keys.snapshotChunk(envId, copy, pointer.slot, n);
  const all = sortKeysBetween(chunk(0).sk, chunk(pointer.chunks - 1).sk);
  const chunks = await readItems(table, chunk(0).pk, { ConsistentRead: false, ...all });
  const bytes = Buffer.concat(chunks.flatMap((item) => item['bytes']?.B ?? []));
  if (digestSnapshot(bytes) !== pointer.digest) return undefined;
  return { version: pointer.version, documents: unpackDocuments(bytes, envId) };
}

function unpackDocuments(bytes: Uint8Array, envId: string): StoredDocument[] {
  const packed = JSON.parse(gunzipSync(bytes).toString()) as PackedDocument[];
  return packed.map(({ text = '', ...stamp }) => ({ ...stamp, envId, body: { text } }));
}

function textOf(body: StoredDocument['body']): string {
  if ('text' in body) return body.text;
  try {
    return gunzipSync(body.gzip).toString();
  } catch {
    // Only a manual edit of the table causes it. The empty text is no document either.
    return '';
  }
}

function toPointer(item: Item): SnapshotPointer {
  return {
    version: numberIn(item, 'version'),
    slot: numberIn(item, 'slot'),
    chunks: numberIn(item, 'chunks'),
    digest: textIn(item, 'digest'),
    writtenAt: numberIn(item, 'writtenAt'),
    table: textIn(item, 'table'),
  };
}
