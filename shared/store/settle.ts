import { loadDocuments } from './documents.ts';
import type { StoredDocument } from './item.ts';
import { type Ambient, pauseFor, type Tables } from './table.ts';
import { readVersion, type Version } from './version.ts';

/**
 * How long after a write its items may still be on their way to readers: DynamoDB isolates a transaction from single
 * reads, but a query may meet it half done (docs/decisions/0003-snapshots.md).
 */
const SETTLE_MS = 1_000;

/** Pauses before reading an environment again that was caught in the middle of a write, in milliseconds. */
const AGAIN_AFTER_MS = [0, 20, 60];

/** An environment's documents at one version. */
export interface VersionedDocuments {
  readonly documents: readonly StoredDocument[];
  readonly version: Version;
  /** False while the version is so young that documents of it may have been missed. */
  readonly isFinal: boolean;
}

/** Whether a version was written long enough ago for all of it to be seen by everybody. */
export function isSettled(version: Version, nowMs: number): boolean {
  return nowMs - version.writtenAt > SETTLE_MS;
}

/**
 * Reads an environment's documents so that they are what a version stands for: all of its last transaction, and nothing
 * newer. Where the table keeps changing this is tried a few times; what was read last is returned then.
 *
 * @param asked the version as it was read before
 * @returns the documents and the version they are at: the one asked for, or a newer one
 */
export async function loadAtVersion(
  tables: Tables,
  ambient: Ambient,
  envId: string,
  asked: Version,
): Promise<VersionedDocuments> {
  let read = await loadOnce(tables, ambient, envId, asked);
  for (const pause of AGAIN_AFTER_MS) {
    if (isWhole(read)) break;
    await pauseFor(ambient, pause);
    read = await loadOnce(tables, ambient, envId, await readVersion(tables, ambient, envId));
  }
  return read;
}

async function loadOnce(
  tables: Tables,
  ambient: Ambient,
  envId: string,
  version: Version,
): Promise<VersionedDocuments> {
  const isFinal = isSettled(version, ambient.now());
  return { documents: await loadDocuments(tables, envId), version, isFinal };
}

/** Each document tells which version came before it, so that a gap in the last transaction shows. */
function isWhole({ documents, version, isFinal }: VersionedDocuments): boolean {
  if (documents.some(({ updatedAt }) => updatedAt > version.updatedAt)) return false;
  if (isFinal) return true;
  const before = new Map(documents.map(({ updatedAt, previous }) => [updatedAt, previous]));
  let at = version.updatedAt;
  while (at > version.previous) {
    const next = before.get(at);
    if (next === undefined || next >= at) return false;
    at = next;
  }
  return true;
}
