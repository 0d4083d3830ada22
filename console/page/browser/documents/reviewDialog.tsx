import { useState } from 'preact/hooks';
import { changesOf } from '../../../../shared/evaluation/documentChanges.ts';
import { changeAction } from '../../../../shared/flags/changeAction.ts';
import type { VersionedDocument } from '../../../api.ts';
import { announce } from '../../../ui/announcement.tsx';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/formDialog.tsx';
import { formatZoned } from '../../../ui/zoned.ts';
import { buttonText, doneText, withoutAction } from '../../logic/actions.ts';
import { problemsOf } from '../../logic/problems.ts';
import { messageOf, RequestFailure } from '../api/failure.ts';
import { request } from '../api/request.ts';
import { allSegments, segmentName, take } from '../state/content.ts';
import { discard } from '../state/drafts.ts';
import { notePlans } from '../state/plans.ts';
import { type Review, review } from '../state/review.ts';
import { useEnvironment } from '../state/shownEnvironment.ts';
import { changeNews } from './changeNews.tsx';
import { ChangePlace, useChangeSignature } from './changeSignature.tsx';
import { ChangeTable } from './changeTable.tsx';
import { EditConflictDialog } from './editConflictDialog.tsx';
import { useGuards } from './guardFields.tsx';
import { Problems } from './problems.tsx';
import { inOneHour, TimeField } from './timeField.tsx';

/** Shows the changes of an edit and saves it. Shows changes of others first. */
export function ReviewDialog({ about }: { readonly about: Review }) {
  const environment = useEnvironment();
  const [{ base, document, conflicts }, setEdit] = useState({ ...about, conflicts: [] as readonly string[] });
  const [theirs, setTheirs] = useState<VersionedDocument | undefined>(about.theirs);
  const { isConfirmed, signature, fields } = useChangeSignature(environment);
  const guards = useGuards();
  const [failure, setFailure] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  /** Undefined: now. */
  const [time, setTime] = useState<string>();
  const close = () => {
    review.value = undefined;
  };

  if (theirs && base) {
    const drop = () => {
      discard(environment.id, document);
      take([theirs]);
      close();
    };
    return (
      <EditConflictDialog
        base={base}
        mine={document}
        theirs={theirs}
        onRedo={(merged) => {
          setEdit({ ...about, base: theirs, document: merged.document, conflicts: merged.conflicts });
          setTheirs(undefined);
          setFailure(undefined);
        }}
        onDrop={drop}
        onClose={close}
      />
    );
  }

  const problems = problemsOf(
    document,
    allSegments.value.map((each) => each.document),
  );
  const action = changeAction(base?.document, document.document);
  const save = async () => {
    setSaving(true);
    setFailure(undefined);
    try {
      const body = { document, expectedVersion: base?.version ?? null, ...signature };
      if (time !== undefined) {
        const at = new Date(time).toISOString();
        const of = { env: environment.id };
        const { plans } = await request('POST environments/:env/plans', {
          of,
          body: { ...body, at, ...guards.guarding },
        });
        notePlans();
        discard(environment.id, document);
        close();
        return announce(plans.length > 0 ? `Scheduled for ${formatZoned(Date.parse(time))}.` : 'Nothing changes.');
      }
      const written = await request('PUT environments/:env/document', { of: { env: environment.id }, body });
      take(written.documents);
      discard(environment.id, document);
      close();
      announce(
        doneText(action, document.kind === 'flag' ? document.document.key : document.document.name),
        changeNews(environment, written),
      );
      about.onSaved?.();
    } catch (error) {
      if (error instanceof RequestFailure && error.code === 'edit-conflict' && error.current && base) {
        setTheirs(error.current);
      } else if (!guards.takeFailure(error)) setFailure(messageOf(error));
    } finally {
      setSaving(false);
    }
  };

  const changes = changesOf(base, document, segmentName.value);
  const details = withoutAction(changes);
  const isInvalid = problems.some(({ severity }) => severity === 'error');
  return (
    <FormDialog
      title={about.title}
      problem={failure}
      action={isSaving ? 'Saving …' : time !== undefined ? 'Schedule' : buttonText(action, document.kind)}
      others={
        base && (
          <Button
            text={time === undefined ? 'Schedule …' : `${buttonText(action, document.kind)} now`}
            onClick={() => setTime(time === undefined ? inOneHour() : undefined)}
          />
        )
      }
      isDisabled={
        isSaving ||
        !isConfirmed ||
        isInvalid ||
        changes.length === 0 ||
        (time !== undefined && (time === '' || !guards.isValid))
      }
      isDangerous={action === 'deleted'}
      isActionFirst
      onSubmit={save}
      onClose={close}
    >
      <ChangePlace />
      {conflicts.length > 0 && (
        <p class="notice warning">
          You both changed: {conflicts.join(', ')}. Saving replaces theirs, shown under “Before”.
        </p>
      )}
      {about.note && <p>{about.note}</p>}
      {(details.length > 0 || changes.length === 0) && <ChangeTable changes={details} label="What changes" />}
      <Problems problems={problems} />
      {time !== undefined && (
        <>
          <TimeField time={time} onInput={setTime} />
          {guards.fields}
        </>
      )}
      {fields}
    </FormDialog>
  );
}
