import type { DocumentNames } from '../../../../shared/evaluation/storedText.ts';
import type { ChangedDocument } from '../../../history.ts';
import { find, segmentName } from '../state/content.ts';

/** Finds what the stored values of a changed document refer to now. */
export function findNames({ kind, id }: Pick<ChangedDocument, 'kind' | 'id'>): DocumentNames {
  const stored = find(kind, id);
  return { flag: stored?.kind === 'flag' ? stored.document : undefined, segmentName: segmentName.value };
}

/** What a document is called: a flag by its key, a segment by its name. */
export function nameOf(kind: ChangedDocument['kind'], id: string): string {
  return kind === 'segment' ? segmentName.value(id) : id;
}
