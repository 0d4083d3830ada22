import { useState } from 'preact/hooks';
import { changesOf } from '../../../../shared/describe/documentChanges.ts';
import { addedSdkDifferences } from '../../../../shared/describe/sdks/sdkDifferences.ts';
import { changeAction } from '../../../../shared/flags/changeAction.ts';
import { type Document, documentId } from '../../../../shared/flags/document.ts';
import type { VersionedDocument } from '../../../api.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Time } from '../../../ui/time.tsx';
import { buttonText, doneText, withoutAction } from '../../logic/actions.ts';
import { merge } from '../../logic/merge.ts';
import { inOneHour, openPlanTexts } from '../../logic/plans.ts';
import { problemsOf } from '../../logic/problems.ts';
import { RequestFailure, request } from '../api/request.ts';
import { allSegments, segmentName, take } from '../state/content.ts';
import { discard } from '../state/drafts.ts';
import { notePlans, usePlans } from '../state/plans.ts';
import { type Review, review } from '../state/review.ts';
import { useEnvironment } from '../state/session.ts';
import { changeNews } from './changeNews.tsx';
import { ChangePlace } from './changeSignature.tsx';
import { ChangeTable } from './changeTable.tsx';
import { ConfirmDialog } from './confirmDialog.tsx';
import { EndingNote } from './endingNote.tsx';
import { useGuards } from './guardFields.tsx';
import { Problems, SdkDifferences } from './problems.tsx';
import { TimeField } from './timeField.tsx';

/** Shows the changes of an edit and saves it. Shows changes of others first. */
export function ReviewDialog({ about }: { readonly about: Review }) {
  const environment = useEnvironment();
  const [{ base, document, conflicts }, setEdit] = useState({ ...about, conflicts: [] as readonly string[] });
  const [theirs, setTheirs] = useState<VersionedDocument | undefined>(about.theirs);
  const guards = useGuards();
  /** Undefined: now. */
  const [time, setTime] = useState<string>();
  const id = documentId(document);
  const { refusal, pause } = openPlanTexts(usePlans(environment.id, { kind: document.kind, id }));
  const close = () => {
    review.value = undefined;
  };

  const problems = problemsOf(
    document,
    allSegments.value.map((each) => each.document),
  );
  const action = changeAction(base.document, document.document);
  const changes = changesOf(base, document, segmentName.value);
  const isEnding = action === 'archived' || action === 'deleted';
  const details = withoutAction(changes);
  const isInvalid = problems.some(({ severity }) => severity === 'error');
  return (
    <ConfirmDialog
      title={about.title}
      action={time === undefined ? buttonText(action, document.kind) : 'Schedule'}
      busy="Saving …"
      instead={
        theirs && (
          <EditConflictDialog
            base={base}
            mine={document}
            theirs={theirs}
            onRedo={(merged) => {
              setEdit({ ...about, base: theirs, ...merged });
              setTheirs(undefined);
            }}
            onDrop={() => {
              discard(environment.id, document);
              take([theirs]);
              close();
            }}
            onClose={close}
          />
        )
      }
      others={
        <Button
          text={time === undefined ? 'Schedule …' : 'Back'}
          disabled={time === undefined && refusal !== undefined}
          title={refusal}
          onClick={() => setTime(time === undefined ? inOneHour() : undefined)}
        />
      }
      isInHistory
      isReady={!isInvalid && changes.length > 0 && (time === undefined || (time !== '' && guards.isValid))}
      isDangerous={action === 'deleted'}
      isActionFirst
      onClose={close}
      takeFailure={(error) => {
        const isConflict = error instanceof RequestFailure && error.code === 'edit-conflict';
        if (!isConflict || !error.current) return guards.takeFailure(error);
        setTheirs(error.current);
        return true;
      }}
      act={async (signature) => {
        const body = { document, expectedVersion: base.version, ...signature };
        if (time !== undefined) {
          const planned = { ...body, at: new Date(time).toISOString(), ...guards.guarding };
          const { plans } = await request('POST environments/:env/plans', { env: environment.id, body: planned });
          notePlans();
          discard(environment.id, document);
          if (plans.length === 0) return 'Nothing changes.';
          return { text: 'Scheduled for ', more: <Time at={Date.parse(time)} isExact /> };
        }
        const written = await request('PUT environments/:env/document', { env: environment.id, body });
        take(written.documents);
        discard(environment.id, document);
        about.onSaved?.();
        const name = document.kind === 'flag' ? document.document.key : document.document.name;
        return { text: doneText(action, name), more: changeNews(environment, written) };
      }}
    >
      <ChangePlace />
      {conflicts.length > 0 && (
        <p class="notice warning">
          You both changed: {conflicts.join(', ')}. Saving replaces theirs, shown under “Before”.
        </p>
      )}
      {about.note && <p>{about.note}</p>}
      {isEnding ? <EndingNote kind={document.kind} id={id} /> : pause && <p class="notice warning">{pause}</p>}
      {(details.length > 0 || changes.length === 0) && <ChangeTable changes={details} label="What changes" />}
      <Problems problems={problems} />
      <SdkDifferences differences={addedSdkDifferences(base, document)} />
      {time !== undefined && (
        <>
          <TimeField time={time} onTime={setTime} />
          {guards.fields}
        </>
      )}
    </ConfirmDialog>
  );
}

interface EditConflictDialogProps {
  readonly base: VersionedDocument;
  readonly mine: Document;
  readonly theirs: VersionedDocument;
  readonly onRedo: (merged: { readonly document: Document; readonly conflicts: readonly string[] }) => void;
  readonly onDrop: () => void;
  readonly onClose: () => void;
}

/** Shows changes that someone else saved during an edit. */
function EditConflictDialog({ base, mine, theirs, onRedo, onDrop, onClose }: EditConflictDialogProps) {
  const redo = () => {
    const { value, conflicts } = merge<unknown>(base.document, mine.document, theirs.document);
    const document = { kind: mine.kind, document: { ...(value as object), updatedAt: theirs.document.updatedAt } };
    onRedo({ document: document as Document, conflicts: conflicts.filter((path) => path !== 'updatedAt') });
  };
  return (
    <Dialog title={`Someone else changed this ${mine.kind}`} onClose={onClose}>
      <p>
        They saved it <Time at={theirs.version} />, while you were editing. Your changes are not saved yet.
      </p>
      <h3>What they changed</h3>
      <ChangeTable changes={changesOf(base, theirs, segmentName.value)} label="What they changed" />
      <h3>What you changed</h3>
      <ChangeTable changes={changesOf(base, mine, segmentName.value)} label="What you changed" />
      <footer class="form-foot">
        <Button text="Discard my changes" onClick={onDrop} />
        <Button text="Reapply my changes" kind="primary" data-first onClick={redo} />
      </footer>
    </Dialog>
  );
}
