import { changesOf } from '../../../../shared/describe/documentChanges.ts';
import type { VersionedDocument } from '../../../api.ts';
import { announce } from '../../../ui/announcement.tsx';
import { Button, DialogButton } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { segmentName } from '../state/content.ts';
import { type Draft, discard, isOutdated } from '../state/drafts.ts';
import { askToSave } from '../state/review.ts';
import { may } from '../state/session.ts';
import { ChangeTable } from './changeTable.tsx';
import { openForms } from './inlineForm.tsx';

export interface DraftBarProps {
  readonly envId: string;
  readonly name: string;
  readonly stored: VersionedDocument;
  readonly draft: Draft | undefined;
}

/** A bar with the number of unsaved changes and the button to review them. */
export function DraftBar({ envId, name, stored, draft }: DraftBarProps) {
  if (!draft) return null;
  const changes = changesOf(draft.base, draft.document, segmentName.value);
  const isBusy = openForms.value > 0;
  const review = (button: HTMLButtonElement) => {
    // A field adds its text to the draft when it loses the focus.
    button.focus();
    askToSave();
  };
  return (
    <section class={isBusy ? 'draft-bar' : 'draft-bar sticky'} aria-label="Unsaved changes">
      <p aria-live="polite">
        {changes.length} unsaved change{changes.length === 1 ? '' : 's'}
        {isOutdated(draft, stored) && ' — someone else changed it in the meantime'}
        {isBusy && ' — finish the open form first'}
      </p>
      <DialogButton
        text="Discard"
        dialog={(close) => (
          <FormDialog
            title={`Discard changes to ${name}?`}
            action="Discard changes"
            isActionFirst
            onClose={close}
            onSubmit={() => {
              close();
              discard(envId, draft.document);
              announce(`Discarded the changes to ${name}.`);
            }}
          >
            <ChangeTable changes={changes} label="What is discarded" />
          </FormDialog>
        )}
      />
      <Button
        text="Save …"
        kind="primary"
        disabled={isBusy || !may('editor', envId)}
        // A press would move the focus. The field would add its text, move this button, and lose the click.
        onMouseDown={(event) => event.preventDefault()}
        onClick={({ currentTarget }) => review(currentTarget)}
      />
    </section>
  );
}
