import type { Document } from './document.ts';

/** What was done to a flag or segment by a change. */
export const CHANGE_ACTIONS = [
  'created',
  'edited',
  'turned on',
  'turned off',
  'archived',
  'restored',
  'deleted',
] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

type Content = Document['document'] | undefined;

/** What a change did to a flag or segment, by what is most notable about it. @param before undefined if it was new */
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
