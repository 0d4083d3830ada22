import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { asDeleted } from '../../../../shared/flags/deletion.ts';
import type { Document } from '../../../../shared/flags/document.ts';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { ask } from '../state/review.ts';
import { goTo } from '../state/route.ts';
import type { DraftBarProps } from './draftBar.tsx';

interface DocumentMenuProps extends Omit<DraftBarProps, 'envId'> {
  /** True if flags use it, so that it cannot be archived or deleted. */
  readonly isUsed?: boolean;
  /** The effect of archiving, restoring and deleting it. */
  readonly notes: Readonly<Record<'archive' | 'restore' | 'delete', string>>;
  /** The dialog that duplicates it. */
  readonly duplicate: (close: () => void) => ComponentChildren;
}

/** Archives, restores, duplicates or deletes a flag or segment. Archiving also saves a draft. */
export function DocumentMenu({ name, stored, draft, isUsed = false, notes, duplicate }: DocumentMenuProps) {
  const [isDuplicating, setDuplicating] = useState(false);
  const { base, document } = draft ?? { base: stored, document: stored };
  const { isArchived } = document.document;
  const archive = () => {
    const changed = { kind: document.kind, document: { ...document.document, isArchived: !isArchived } } as Document;
    const [what, note] = isArchived ? ['Restore', notes.restore] : ['Archive', notes.archive];
    ask({ title: `${what} ${name}`, note, base, document: changed });
  };
  const remove = () =>
    ask({
      title: `Delete ${name}`,
      note: `${notes.delete} Undo in the history brings the ${stored.kind} back.`,
      base: stored,
      document: { kind: stored.kind, document: asDeleted(stored.document) } as Document,
      onSaved: () => goTo(stored.kind === 'flag' ? 'flags' : 'segments'),
    });
  return (
    <>
      <Menu text="⋯" label={`More actions for ${name}`}>
        <MenuItem text={isArchived ? 'Restore' : 'Archive'} disabled={isUsed && !isArchived} onAct={archive} />
        {!stored.document.isArchived && <MenuItem text="Duplicate" onAct={() => setDuplicating(true)} />}
        <MenuItem text="Delete" kind="danger" disabled={isUsed} onAct={remove} />
      </Menu>
      {isDuplicating && duplicate(() => setDuplicating(false))}
    </>
  );
}
