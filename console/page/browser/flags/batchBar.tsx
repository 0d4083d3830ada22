import { type BatchEdit, FLAGS_AT_ONCE } from '../../../flagBatch.ts';
import { Button } from '../../../ui/button.tsx';

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
