import type { Effects } from '../../runtime/effects.ts';
import {
  bringUpToDate,
  type DocumentSource,
  isStable,
  loadAtVersion,
  type VersionedDocuments,
  type VersionObservation,
} from './consistentRead.ts';

/** The version that a reader is at, and how complete its documents are. */
export type ReaderState = Omit<VersionedDocuments, 'documents'>;

/** The documents that bring a reader to a version. */
export interface ReadStep extends VersionedDocuments {
  /** They are all changes since this version. Absent if they are all documents of the environment. */
  readonly after?: number;
}

/** Whether a reader needs no documents for a version. */
export function isAtVersion(
  effects: Effects,
  state: ReaderState | undefined,
  observation: VersionObservation,
): boolean {
  if (state?.observation.version.updatedAt !== observation.version.updatedAt) return false;
  return state.isFinal || (state.isWhole && !isStable(effects, observation));
}

/**
 * Reads what a reader lacks of a version: the changes from the journal, for one read unit a change. Else the stored snapshot, which
 * the journal brings up to date. Else all documents.
 *
 * @param asked the version, read before
 * @param from the reader's state; if omitted, it has nothing
 * @param snapshot the stored snapshot, if it was asked for before
 */
export async function readStep(
  source: DocumentSource,
  envId: string,
  asked: VersionObservation,
  from?: ReaderState,
  snapshot?: ReturnType<DocumentSource['documents']['snapshot']>,
): Promise<ReadStep> {
  const { updatedAt: upTo } = asked.version;
  const after = from?.observation.version.updatedAt ?? upTo;
  const changes = from?.isFinal && upTo > after ? await source.documents.changes(envId, after, upTo) : undefined;
  if (changes) return { documents: changes, observation: asked, isWhole: true, isFinal: true, after };
  const stored = await (snapshot ?? source.documents.snapshot(envId));
  return (stored && (await bringUpToDate(source, envId, asked, stored))) ?? (await loadAtVersion(source, envId, asked));
}
