import type { Document } from '../../shared/flags/document.ts';
import type { ChangeAction } from '../history.ts';

type Content = Document['document'] | undefined;

/** What a change did to a flag or segment, by what is most notable about it. @param before undefined where it was new */
export function changeAction(before: Content, after: Content): ChangeAction {
  if (!before) return 'created';
  if (after?.isDeleted && !before.isDeleted) return 'deleted';
  if (before.isDeleted && !after?.isDeleted) return before.id === after?.id ? 'restored' : 'created';
  if (before.isArchived !== after?.isArchived) return after?.isArchived ? 'archived' : 'restored';
  const [was, is] = [isEnabled(before), isEnabled(after)];
  if (was === is) return 'edited';
  return is ? 'turned on' : 'turned off';
}

function isEnabled(content: Content): boolean {
  return content !== undefined && 'isEnabled' in content && content.isEnabled;
}
