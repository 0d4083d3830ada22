import type { Change } from '../../../shared/describe/documentChanges.ts';
import type { ChangeAction } from '../../../shared/flags/changeAction.ts';
import type { Document } from '../../../shared/flags/document.ts';
import type { HistoryChange } from '../../history.ts';

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
