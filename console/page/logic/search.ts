import type { Document } from '../../../shared/flags/document.ts';

/** Which documents are shown: archived ones only where they are asked for. */
export const STATES = ['all', 'on', 'off', 'archived'] as const;
export type State = (typeof STATES)[number];

/** Whether a document has every word of a search in its key, name, description or tags, and the state that is asked for. */
export function isFound({ kind, document }: Document, words: string, state: State): boolean {
  if (document.isArchived !== (state === 'archived')) return false;
  if (kind === 'flag' && (state === 'on' || state === 'off') && document.isEnabled !== (state === 'on')) return false;
  const own = kind === 'flag' ? [document.key, ...document.tags] : [document.id];
  const text = [...own, document.name, document.description].join('\n').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
