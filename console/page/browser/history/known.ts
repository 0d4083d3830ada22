import type { ChangedDocument } from '../../../api.ts';
import type { Known } from '../../logic/storedText.ts';
import { find, segmentName } from '../state/content.ts';

/** What is known of a changed document now, to tell what its stored values refer to. */
export function knownOf({ kind, id }: Pick<ChangedDocument, 'kind' | 'id'>): Known {
  const stored = find(kind, id);
  return { flag: stored?.kind === 'flag' ? stored.document : undefined, segmentName: segmentName.value };
}
