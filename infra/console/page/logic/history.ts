import type { HistoryChange } from '../../api.ts';
import type { Change } from './changes.ts';

type ChangedDocument = HistoryChange['documents'][number];

/** What a change did to a document, as it is stored. */
export function changesIn({ differences }: ChangedDocument): Change[] {
  return differences.map(({ path, before, after }) => ({ label: path, before: textOf(before), after: textOf(after) }));
}

/** What taking a change back does to a document. What it made is archived: SDKs learn of an end only by that. */
export function undoneIn(document: ChangedDocument): Change[] {
  if (document.isNew) return [{ label: 'isArchived', before: 'false', after: 'true' }];
  return changesIn(document).map(({ label, before, after }) => ({ label, before: after, after: before }));
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
