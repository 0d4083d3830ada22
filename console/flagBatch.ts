import type { Flag } from '../shared/flags/flag.ts';

/** Maximum number of flags in one request. */
export const FLAGS_AT_ONCE = 200;
/** Maximum number of documents in one copy. */
export const COPY_DOCUMENTS = 80;
/** Maximum length of a tag for several flags, in characters. */
export const TAG_LIMIT = 100;

/** The kinds of {@link BatchEdit} that need no tag. */
export const BATCH_STATES = ['on', 'off', 'archive', 'restore'] as const;

/** An edit of several flags. */
export type BatchEdit =
  | { readonly kind: (typeof BATCH_STATES)[number] }
  | { readonly kind: 'add-tag' | 'remove-tag'; readonly tag: string };

/** Applies an edit to a flag. Returns the same object if nothing changes. An archived flag cannot be turned on or off. */
export function editedFlag(flag: Flag, edit: BatchEdit): Flag {
  switch (edit.kind) {
    case 'on':
    case 'off': {
      const isEnabled = edit.kind === 'on';
      return flag.isArchived || flag.isEnabled === isEnabled ? flag : { ...flag, isEnabled };
    }
    case 'archive':
    case 'restore': {
      const isArchived = edit.kind === 'archive';
      return flag.isArchived === isArchived ? flag : { ...flag, isArchived };
    }
    case 'add-tag':
      return flag.tags.includes(edit.tag) ? flag : { ...flag, tags: [...flag.tags, edit.tag] };
    case 'remove-tag':
      return flag.tags.includes(edit.tag) ? { ...flag, tags: flag.tags.filter((tag) => tag !== edit.tag) } : flag;
  }
}

/** Formats a number of flags: `1 flag`, `3 flags`. */
export function flagCount(count: number): string {
  return `${count} flag${count === 1 ? '' : 's'}`;
}

/** Formats an edit: `turn off 3 flags`. */
export function batchText(edit: BatchEdit, count: number): string {
  const flags = flagCount(count);
  if (edit.kind === 'add-tag') return `add tag “${edit.tag}” to ${flags}`;
  if (edit.kind === 'remove-tag') return `remove tag “${edit.tag}” from ${flags}`;
  return `${edit.kind === 'on' || edit.kind === 'off' ? 'turn ' : ''}${edit.kind} ${flags}`;
}
