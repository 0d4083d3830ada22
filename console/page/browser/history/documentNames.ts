import type { DocumentNames } from '../../../../shared/evaluation/storedText.ts';
import type { ChangedDocument } from '../../../history.ts';
import { find, segmentName } from '../state/content.ts';

/** Finds the names of flags, segments and variations that stored values refer to. */
export function findNames({ kind, id }: Pick<ChangedDocument, 'kind' | 'id'>): DocumentNames {
  const stored = find(kind, id);
  return { flag: stored?.kind === 'flag' ? stored.document : undefined, segmentName: segmentName.value };
}

/** Display name: a flag's key, or a segment's name. */
export function nameOf(kind: ChangedDocument['kind'], id: string): string {
  return kind === 'segment' ? segmentName.value(id) : id;
}
