import type { Change } from '../../../shared/describe/documentChanges.ts';
import type { ChangeAction } from '../../../shared/flags/changeAction.ts';
import type { Document } from '../../../shared/flags/document.ts';
import type { ChangedDocument, HistoryChange } from '../../history.ts';

const BUTTONS: Readonly<Record<ChangeAction, string>> = {
  created: 'Create',
  edited: 'Save',
  'turned on': 'Turn on',
  'turned off': 'Turn off',
  archived: 'Archive',
  restored: 'Restore',
  deleted: 'Delete',
};

/** Text of an action's button: `Turn on`, `Delete flag`. */
export function buttonText(action: ChangeAction, kind: Document['kind']): string {
  return action === 'created' || action === 'deleted' ? `${BUTTONS[action]} ${kind}` : BUTTONS[action];
}

/** Past tense of an action: `Turned on new-checkout`. */
export function doneText(action: ChangeAction, name: string): string {
  const done = action === 'edited' ? 'saved' : action;
  return `${done.charAt(0).toUpperCase()}${done.slice(1)} ${name}`;
}

/** Text of the button that undoes a change: `Undo`, `Undo all 6`. */
export function undoText({ documents, moreDocuments }: Pick<HistoryChange, 'documents' | 'moreDocuments'>): string {
  const count = documents.length + moreDocuments;
  return count > 1 ? `Undo all ${count}` : 'Undo';
}

/** Removes changes that the action already names: archived or deleted. */
export function withoutAction(changes: readonly Change[]): Change[] {
  return changes.filter(({ label }) => label !== 'Archived' && label !== 'Deleted');
}

/** The effect of an undo on a document. A document that the change created is archived, so that SDKs drop it. */
export function undoneChanges({ isNew, changes }: ChangedDocument): Change[] {
  if (isNew) return [{ label: 'Archived', before: 'no', after: 'yes' }];
  return changes.map(({ label, before, after }) => ({ label, before: after, after: before }));
}

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
    const { kind, action, isNew, moreChanges } = document;
    return JSON.stringify([kind, action, isNew, moreChanges, changesOf(document)]);
  });
  return [...groups.values()].map((alike) => ({ documents: alike, changes: alike.slice(0, 1).flatMap(changesOf) }));
}

/** Noun for a number of flags or segments: `flag`, `flags`. */
export function kindText({ documents: [first, ...others] }: Alike): string {
  return `${first?.kind}${others.length > 0 ? 's' : ''}`;
}
