import type { Change } from '../../../shared/evaluation/documentChanges.ts';
import type { ChangedDocument } from '../../history.ts';

/** Flags or segments that a change changed alike. */
export interface Alike {
  readonly documents: readonly ChangedDocument[];
  readonly changes: readonly Change[];
}

/**
 * Puts flags and segments of a change together that it changed alike: an edit of many flags changes each of them so.
 *
 * @param changesOf what is shown of a document
 */
export function groupAlike(
  documents: readonly ChangedDocument[],
  changesOf: (document: ChangedDocument) => readonly Change[],
): Alike[] {
  const groups = Map.groupBy(documents, (document) => {
    const { kind, action, isNew, moreDifferences } = document;
    return JSON.stringify([kind, action, isNew, moreDifferences, changesOf(document)]);
  });
  return [...groups.values()].map((alike) => ({ documents: alike, changes: alike.slice(0, 1).flatMap(changesOf) }));
}

/** So many flags or segments in words: `flag`, `flags`. */
export function kindText({ documents: [first, ...others] }: Alike): string {
  return `${first?.kind}${others.length > 0 ? 's' : ''}`;
}
