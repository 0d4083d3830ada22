import type { Change } from '../../../shared/describe/documentChanges.ts';
import type { ChangedDocument } from '../../history.ts';

/** Flags or segments with equal changes. */
export interface Alike {
  readonly documents: readonly ChangedDocument[];
  readonly changes: readonly Change[];
}

/**
 * Groups flags and segments with equal changes, such as those of an edit of many flags.
 *
 * @param changesOf the shown changes of a document
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

/** Noun for a number of flags or segments: `flag`, `flags`. */
export function kindText({ documents: [first, ...others] }: Alike): string {
  return `${first?.kind}${others.length > 0 ? 's' : ''}`;
}
