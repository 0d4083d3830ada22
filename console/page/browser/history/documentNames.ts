import type { ChangedDocument } from '../../../api.ts';
import type { DocumentNames } from '../../logic/storedText.ts';
import { find, segmentName } from '../state/content.ts';

/** Finds what the stored values of a changed document refer to now. */
export function findNames({ kind, id }: Pick<ChangedDocument, 'kind' | 'id'>): DocumentNames {
  const stored = find(kind, id);
  return { flag: stored?.kind === 'flag' ? stored.document : undefined, segmentName: segmentName.value };
}
