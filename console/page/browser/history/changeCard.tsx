import { type ComponentChildren, Fragment } from 'preact';
import { commandText } from '../../../../shared/describe/historyText.ts';
import type { ChangedDocument, HistoryChange } from '../../../history.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { Time } from '../../../ui/time.tsx';
import { formatZoned } from '../../../ui/zoned.ts';
import { type Alike, groupAlike, kindText, undoneChanges, undoText, withoutAction } from '../../logic/actions.ts';
import { request } from '../api/request.ts';
import { changeNews } from '../documents/changeNews.tsx';
import { ChangeTable } from '../documents/changeTable.tsx';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { plainly } from '../documents/plainly.tsx';
import { segmentName, take } from '../state/content.ts';
import { undoing } from '../state/review.ts';
import { linkTo } from '../state/route.ts';
import { may, plain, useEnvironment } from '../state/session.ts';

interface ChangeCardProps {
  readonly change: HistoryChange;
  /** The document whose history is shown. It is not named again. */
  readonly documentId: string | undefined;
  readonly receipt: ComponentChildren;
}

/** A change: author, time, command and differences. */
export function ChangeCard({ change, documentId, receipt }: ChangeCardProps) {
  const { at, by, command, signedBy, documents, moreDocuments } = change;
  return (
    <article class="change" aria-label={`Change by ${plain(by)}`}>
      <header>
        <div>
          <Avatar by={plain(by)} /> <b>{plainly(by)}</b> {signedBy && <Badge title={signedBy}>verified</Badge>}{' '}
          <Time at={at} isExact />
          {command && <p class="hint">{plainly(commandText(command))}</p>}
        </div>
        <UndoButton change={change} />
      </header>
      {groupAlike(documents, ({ changes }) => withoutAction(changes)).map((alike) => (
        <AlikeChange key={alike.documents[0]?.id} alike={alike} isNamed={documentId === undefined} />
      ))}
      {moreDocuments > 0 && <p class="hint">and {moreDocuments} other flags or segments</p>}
      {receipt}
    </article>
  );
}

/** Actions on flags or segments. Equal ones are merged. */
function AlikeChange({ alike, isNamed }: { readonly alike: Alike; readonly isNamed: boolean }) {
  const { documents, changes } = alike;
  const [first] = documents;
  if (!first) return null;
  return (
    <div>
      <p>
        {first.action}
        {isNamed && (
          <>
            {' '}
            {kindText(alike)}{' '}
            {documents.map(({ kind, id }, index) => (
              <Fragment key={id}>
                {index > 0 && ', '}
                <a href={linkTo(kind === 'flag' ? 'flags' : 'segments', id)}>{nameOf(kind, id)}</a>
              </Fragment>
            ))}
          </>
        )}
      </p>
      {changes.length > 0 && (
        <ChangeTable
          changes={changes}
          label={`What changed of ${kindText(alike)} ${documents.map(({ kind, id }) => nameOf(kind, id)).join(', ')}`}
        />
      )}
      {first.moreChanges > 0 && <p class="hint">and {first.moreChanges} more differences</p>}
    </div>
  );
}

/** Display name: a flag's key, or a segment's name. */
export function nameOf(kind: ChangedDocument['kind'], id: string): string {
  return kind === 'segment' ? segmentName.value(id) : id;
}

/** A button that opens the dialog to undo a change. */
export function UndoButton({ change }: { readonly change: HistoryChange }) {
  const environment = useEnvironment();
  const text = undoText(change);
  const open = () => {
    undoing.value = { environment, change };
  };
  const label = `${text === 'Undo' ? text : `${text} of`} the change of ${formatZoned(change.at)}`;
  return <Button text={text} kind="small" label={label} disabled={!may('editor', environment.id)} onClick={open} />;
}

/** Shows the effect of undoing a change, and undoes it. */
export function UndoDialog({ environment, change }: NonNullable<typeof undoing.value>) {
  const { version, by, documents, moreDocuments } = change;
  const onClose = () => {
    undoing.value = undefined;
  };
  return (
    <ConfirmDialog
      title={`Undo the change by ${plain(by)}`}
      action={undoText(change)}
      onClose={onClose}
      isInHistory
      act={async (signature) => {
        const body = { version, ...signature };
        const written = await request('POST environments/:env/undo', { env: environment.id, body });
        take(written.documents);
        const text = written.documents.length > 0 ? 'Change undone' : 'It was undone already: nothing changed.';
        return { text, more: changeNews(environment, written) };
      }}
    >
      {groupAlike(documents, undoneChanges).map((alike) => {
        const names = alike.documents.map(({ kind, id }) => nameOf(kind, id)).join(', ');
        return (
          <div key={names}>
            <p>
              {kindText(alike)} <code>{names}</code>
            </p>
            <ChangeTable changes={alike.changes} label={`What undoing changes of ${names}`} />
          </div>
        );
      })}
      {moreDocuments > 0 && <p>and {moreDocuments} other flags or segments</p>}
    </ConfirmDialog>
  );
}
