import { changesOf } from '../../../../shared/evaluation/documentChanges.ts';
import type { VersionedDocument } from '../../../api.ts';
import { segmentName } from '../state/content.ts';
import { type Draft, discard } from '../state/drafts.ts';
import { openForms } from '../state/openForms.ts';
import { ask } from '../state/review.ts';

interface DraftBarProps {
  readonly envId: string;
  readonly name: string;
  readonly stored: VersionedDocument;
  readonly draft: Draft | undefined;
}

/** What is not saved yet, and the way to save it; shown while there is something. */
export function DraftBar({ envId, name, stored, draft }: DraftBarProps) {
  if (!draft) return null;
  const count = changesOf(draft.base, draft.document, segmentName.value).length;
  const isOutdated =
    stored.version !== draft.base.version && JSON.stringify(stored.document) !== JSON.stringify(draft.base.document);
  const isBusy = openForms.value > 0;
  const review = () =>
    ask({
      title: `Save ${name}`,
      base: draft.base,
      document: draft.document,
      ...(isOutdated ? { theirs: stored } : {}),
    });
  return (
    <section class={isBusy ? 'draft-bar' : 'draft-bar sticky'} aria-label="Unsaved changes">
      <p aria-live="polite">
        {count} unsaved change{count === 1 ? '' : 's'}
        {isOutdated && ' — somebody else changed it in the meantime'}
        {isBusy && ' — finish the open form first'}
      </p>
      <button type="button" onClick={() => discard(envId, draft.document)}>
        Discard
      </button>
      <button type="button" class="primary" disabled={isBusy} onClick={review}>
        Review and save
      </button>
    </section>
  );
}
