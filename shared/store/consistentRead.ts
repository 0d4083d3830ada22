import type { Effects } from '../runtime/effects.ts';
import { isUnbroken } from './chain.ts';
import type { DocumentReader } from './documents.ts';
import type { StoredDocument } from './item.ts';
import type { StoredSnapshot } from './storedSnapshot.ts';
import type { Version } from './version.ts';

/**
 * How long after a reader has met a version all that was written up to it may still be on its way: DynamoDB isolates a
 * transaction from single reads, but a query may meet it half done (docs/decisions/0003-snapshots.md).
 */
export const SETTLE_MS = 1_000;

/** Clocks of writers and readers are less far apart than this, with the time that a write's request may take. */
const CLOCKS_APART_MS = 15 * 60_000;

/** Pauses before reading an environment again that was caught in the middle of a write, in milliseconds. */
const AGAIN_AFTER_MS = [0, 20, 60];

/** What environments are read from. */
export interface DocumentSource {
  readonly documents: Pick<DocumentReader, 'version' | 'load' | 'changes' | 'snapshot'>;
  readonly effects: Effects;
}

/** A version, and when this reader first met it, by the reader's monotonic clock. */
export interface VersionObservation {
  readonly version: Version;
  readonly firstAt: number;
}

/** An environment's documents as they were read at a version. */
export interface VersionedDocuments {
  readonly documents: readonly StoredDocument[];
  readonly observation: VersionObservation;
  /** Whether all of the version's transaction is there (but for what was taken out by hand), and nothing newer. */
  readonly isWhole: boolean;
  /** Whether nothing from before that can be on its way any more either. */
  readonly isFinal: boolean;
}

/** Notes a version that was read just now. @param before what was noted of the same environment last */
export function observe(
  effects: Effects,
  version: Version,
  before: VersionObservation | undefined,
): VersionObservation {
  const isKnown = before?.version.updatedAt === version.updatedAt;
  return { version, firstAt: isKnown ? before.firstAt : effects.monotonic() };
}

/** Whether a version has been known for long enough that a query shows all of it. */
export function isStable(effects: Effects, { firstAt }: VersionObservation): boolean {
  return effects.monotonic() - firstAt > SETTLE_MS;
}

/**
 * Reads an environment's documents so that they are what a version stands for: all of its last transaction, and nothing
 * newer. What a reading has met half done, the journal completes; where it cannot, the environment is read again. Where
 * the table keeps changing this is tried a few times; what was read last is returned then.
 *
 * @param asked the version as it was read before
 * @returns the documents and the version they are at: the one asked for, or a newer one
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
 * Brings a snapshot of the table up to date by the journal. A snapshot is final, and an unbroken chain from it is, too.
 *
 * @param asked the version as it was read before
 * @returns undefined where the journal does not lead from the snapshot to the version
 */
export async function bringUpToDate(
  { documents: reader, effects }: DocumentSource,
  envId: string,
  asked: VersionObservation,
  { version: from, documents }: StoredSnapshot,
): Promise<VersionedDocuments | undefined> {
  // It was written after the version was read.
  const isAhead = from > asked.version.updatedAt;
  const observation = isAhead ? observe(effects, await reader.version(envId), asked) : asked;
  const { updatedAt } = observation.version;
  const changes = from <= updatedAt ? await reader.changes(envId, from, updatedAt) : undefined;
  return changes && { documents: latestOf([...documents, ...changes]), observation, isWhole: true, isFinal: true };
}

/** Documents as one reading showed them, with the version up to which they surely are all there. */
interface Attempt extends VersionedDocuments {
  readonly completeUpTo: number;
  /** Whether nothing from before that version can be on its way any more. */
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

/** @returns undefined where the journal does not lead from what is surely there to the version as it is now */
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

/** Of each flag and segment the newest. */
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
