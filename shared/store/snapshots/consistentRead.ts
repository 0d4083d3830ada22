import type { Effects } from '../../runtime/effects.ts';
import type { DocumentReader } from '../documents/documents.ts';
import type { StoredDocument } from '../documents/item.ts';
import { isUnbroken } from '../documents/journal.ts';
import type { StoredSnapshot } from '../documents/storedSnapshot.ts';
import type { Version } from '../documents/version.ts';

/**
 * How long writes may still become visible after a reader first sees a version. DynamoDB isolates transactions from
 * single reads, but a query may see half of one (docs/decisions/0003-snapshots.md).
 */
export const SETTLE_MS = 1_000;

/** Maximum clock difference between writers and readers, including the time of a write request. */
const CLOCKS_APART_MS = 15 * 60_000;

/** Pauses before an environment is read again because a write was in progress, in milliseconds. */
const AGAIN_AFTER_MS = [0, 20, 60];

/** Dependencies of a consistent read. */
export interface DocumentSource {
  readonly documents: Pick<DocumentReader, 'version' | 'load' | 'changes' | 'snapshot'>;
  readonly effects: Effects;
}

/** A version, and when this reader first saw it, by the reader's monotonic clock. */
export interface VersionObservation {
  readonly version: Version;
  readonly firstAt: number;
}

/** An environment's documents as read at a version. */
export interface VersionedDocuments {
  readonly documents: readonly StoredDocument[];
  readonly observation: VersionObservation;
  /** Whether they contain all of the version's transaction (except manual deletions) and nothing newer. */
  readonly isWhole: boolean;
  /** Whether they also contain every write from before that version. */
  readonly isFinal: boolean;
}

/** Records a version that was just read. @param before the previous record of the same environment */
export function observe(
  effects: Effects,
  version: Version,
  before: VersionObservation | undefined,
): VersionObservation {
  const isKnown = before?.version.updatedAt === version.updatedAt;
  return { version, firstAt: isKnown ? before.firstAt : effects.monotonic() };
}

/** Whether a version is old enough for a query to show all of it. */
export function isStable(effects: Effects, { firstAt }: VersionObservation): boolean {
  return effects.monotonic() - firstAt > SETTLE_MS;
}

/**
 * Reads an environment's documents as of a version: all of its last transaction, and nothing newer.
 *
 * If a read sees half of a transaction, the journal completes it. If the journal cannot, the environment is read again.
 * After a few attempts against constant writes, the last read is returned.
 *
 * @param asked the version, read before
 * @returns the documents and their version: the one asked for, or a newer one
 */
export async function loadAtVersion(
  source: DocumentSource,
  envId: string,
  asked: VersionObservation,
): Promise<VersionedDocuments> {
  const { documents, effects } = source;
  let read = await loadOnce(source, envId, asked);
  for (const pause of AGAIN_AFTER_MS) {
    if (read.isWhole) break;
    await effects.pause(pause);
    const now = observe(effects, await documents.version(envId), read.observation);
    read = (await completed(source, envId, read, now)) ?? (await loadOnce(source, envId, now));
  }
  return read;
}

/**
 * Updates a snapshot of the table from the journal. A snapshot is final, and so is an unbroken chain from it.
 *
 * @param asked the version, read before
 * @returns undefined if the journal does not lead from the snapshot to the version
 */
export async function bringUpToDate(
  { documents: reader, effects }: DocumentSource,
  envId: string,
  asked: VersionObservation,
  { version: from, documents }: StoredSnapshot,
): Promise<VersionedDocuments | undefined> {
  // This write is newer than the version that was read.
  const isAhead = from > asked.version.updatedAt;
  const observation = isAhead ? observe(effects, await reader.version(envId), asked) : asked;
  const { updatedAt } = observation.version;
  const changes = from <= updatedAt ? await reader.changes(envId, from, updatedAt) : undefined;
  return changes && { documents: latestOf([...documents, ...changes]), observation, isWhole: true, isFinal: true };
}

/** Documents from one read, and the version up to which they are certainly complete. */
interface Attempt extends VersionedDocuments {
  readonly completeUpTo: number;
  /** Whether all writes from before that version are visible. */
  readonly isFinalUpToThat: boolean;
}

async function loadOnce(
  { documents: reader, effects }: DocumentSource,
  envId: string,
  observation: VersionObservation,
): Promise<Attempt> {
  const { previous, updatedAt, writtenAt } = observation.version;
  const wasStable = isStable(effects, observation);
  const documents = await reader.load(envId);
  const last = documents.filter((document) => document.updatedAt > previous).sort((a, b) => a.updatedAt - b.updatedAt);
  const isWhole = isUnbroken(last, previous, updatedAt) || (wasStable && newest(documents) <= updatedAt);
  const isFinalUpToThat = wasStable || effects.now() - writtenAt > CLOCKS_APART_MS;
  const completeUpTo = wasStable ? updatedAt : previous;
  return { documents, observation, isWhole, isFinal: isWhole && isFinalUpToThat, completeUpTo, isFinalUpToThat };
}

/** @returns undefined if the journal does not lead from the complete version to the current one */
async function completed(
  { documents: reader }: DocumentSource,
  envId: string,
  { documents: before, completeUpTo, isFinalUpToThat }: Attempt,
  now: VersionObservation,
): Promise<Attempt | undefined> {
  const { updatedAt } = now.version;
  const changes = await reader.changes(envId, completeUpTo, updatedAt);
  if (!changes) return undefined;
  const documents = latestOf([...before, ...changes]);
  const isWhole = newest(documents) <= updatedAt;
  const isFinal = isWhole && isFinalUpToThat;
  return { documents, observation: now, isWhole, isFinal, completeUpTo: updatedAt, isFinalUpToThat };
}

/** The newest document of each flag and segment. */
function latestOf(documents: readonly StoredDocument[]): StoredDocument[] {
  const latest = new Map<string, StoredDocument>();
  for (const document of documents) {
    const name = `${document.kind}#${document.id}`;
    if (document.updatedAt >= (latest.get(name)?.updatedAt ?? 0)) latest.set(name, document);
  }
  return [...latest.values()];
}

function newest(documents: readonly StoredDocument[]): number {
  return documents.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), 0);
}
