import { useState } from 'preact/hooks';
import type { VersionedFlag } from '../../../api.ts';
import { type BatchEdit, batchText, editedFlag, FLAGS_AT_ONCE, flagCount, TAG_LIMIT } from '../../../flagBatch.ts';
import { complain } from '../../../ui/announcement.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField, TextField } from '../../../ui/field.tsx';
import { request, sentence } from '../api/request.ts';
import { changeNews } from '../documents/changeNews.tsx';
import { ChangePlace } from '../documents/changeSignature.tsx';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { EndingNote } from '../documents/endingNote.tsx';
import { load, tagsOf, take } from '../state/content.ts';
import { useEnvironment } from '../state/session.ts';

/** Number of flags that are named if somebody else changed them, and whose evaluations are shown before they are archived. */
const NAMED = 5;

interface BatchDialogProps {
  /** As they were when the dialog opened. */
  readonly flags: readonly VersionedFlag[];
  readonly kind: BatchEdit['kind'];
  readonly onClose: () => void;
  /** Called after the edit. @param failed keys of flags that were not written */
  readonly onDone: (failed: readonly string[]) => void;
}

/** Shows the changes of an edit of several flags, and saves it. Flags that somebody else changed are not saved. */
export function BatchDialog({ flags, kind, onClose, onDone }: BatchDialogProps) {
  const environment = useEnvironment();
  const [tag, setTag] = useState('');
  const edit = editOf(kind, kind === 'add-tag' ? tag.trim() : tag);
  const changed = flags.filter(({ document }) => editedFlag(document, edit) !== document);
  const isReady = !('tag' in edit) || edit.tag !== '';
  const unchanged = flags.length - changed.length;
  // The action as the history names it. A tag is unknown at first.
  const title = sentence(batchText(editOf(kind, tag.trim() || '…'), (isReady && changed.length) || flags.length));
  return (
    <ConfirmDialog
      title={title}
      action={title}
      busy="Saving …"
      isInHistory
      isReady={isReady && changed.length > 0}
      isActionFirst={!('tag' in edit)}
      onClose={onClose}
      act={async (signature) => {
        const named = changed.map(({ document, version }) => ({ key: document.key, expectedVersion: version }));
        const body = { edit, flags: named, ...signature };
        const written = await request('PATCH environments/:env/flags', { env: environment.id, body });
        take(written.documents);
        onDone(written.conflicts);
        // Past tense: `Turned off 3 flags` for `Turn off 3 flags`.
        const text = title.replace(/^(\w+?)e?(?= )/, '$1ed');
        if (written.conflicts.length === 0) return { text, more: changeNews(environment, written) };
        void load(environment.id);
        const [saved, left] = [written.documents, written.conflicts].map(({ length }) => flagCount(length));
        const keys = written.conflicts.slice(0, NAMED).join(', ');
        const problem = `Saved ${saved}. ${left} not saved, because somebody else changed them, and still selected: ${keys}`;
        const more = written.conflicts.length > NAMED ? ' …' : '';
        complain(`${problem}${more}`, written.documents.length > 0 && changeNews(environment, written));
        return undefined;
      }}
    >
      <ChangePlace />
      {kind === 'add-tag' && (
        <TextField label="Tag" value={tag} isFirst onInput={(text) => setTag(text.slice(0, TAG_LIMIT))} />
      )}
      {kind === 'remove-tag' && (
        <ChoiceField
          label="Tag"
          value={tag}
          options={[{ value: '', text: 'choose …' }, ...tagsOf(flags)]}
          onChange={setTag}
        />
      )}
      {isReady && unchanged > 0 && <p class="hint">{flagCount(unchanged)} will not change.</p>}
      {isReady && (
        <ul class="keys bullets">
          {changed.map(({ document: { key } }) => (
            <li key={key}>
              <code>{key}</code>
              {kind === 'archive' && changed.length <= NAMED && <EndingNote kind="flag" id={key} />}
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
}

function editOf(kind: BatchEdit['kind'], tag: string): BatchEdit {
  return kind === 'add-tag' || kind === 'remove-tag' ? { kind, tag } : { kind };
}

interface BatchBarProps {
  /** Number of selected, visible flags. */
  readonly count: number;
  readonly haveTags: boolean;
  readonly areArchived: boolean;
  readonly onEdit: (kind: BatchEdit['kind']) => void;
  readonly onClear: () => void;
}

const TEXTS: Readonly<Record<BatchEdit['kind'], string>> = {
  on: 'Turn on',
  off: 'Turn off',
  archive: 'Archive',
  restore: 'Restore',
  'add-tag': 'Add tag …',
  'remove-tag': 'Remove tag …',
};

/** Actions on the selected flags. */
export function BatchBar({ count, haveTags, areArchived, onEdit, onClear }: BatchBarProps) {
  const isTooMany = count > FLAGS_AT_ONCE;
  const states = areArchived ? (['restore'] as const) : (['on', 'off', 'archive'] as const);
  const kinds: readonly BatchEdit['kind'][] = [...states, 'add-tag', ...(haveTags ? (['remove-tag'] as const) : [])];
  return (
    <section class="draft-bar sticky" aria-label="Selected flags">
      <p aria-live="polite">
        {count} selected
        {isTooMany && `: select at most ${FLAGS_AT_ONCE}`}
      </p>
      {kinds.map((kind) => (
        <Button text={TEXTS[kind]} key={kind} disabled={isTooMany} onClick={() => onEdit(kind)} />
      ))}
      <Button text="Clear selection" kind="quiet" onClick={onClear} />
    </section>
  );
}
