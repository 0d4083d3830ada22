import { documentId } from '../../../../shared/flags/document.ts';
import type { VersionedDocument } from '../../../api.ts';
import type { HistoryChange } from '../../../history.ts';
import { Time } from '../../../ui/time.tsx';
import { importOf, originText } from '../../logic/origin.ts';
import { request } from '../api/request.ts';
import { once, usePolled } from '../api/usePolled.ts';
import { content } from '../state/content.ts';
import { useEnvironment } from '../state/session.ts';
import { plainly } from './plainly.tsx';

interface ChangedTimeProps {
  readonly version: number;
  /** Its last change in the history, if it was read. */
  readonly change?: HistoryChange | undefined;
  /** True if a heading already names the subject. */
  readonly isInColumn?: boolean;
}

/** Time and kind of a document's last change, if the history has it. An imported document keeps its original version. */
export function ChangedTime({ version, change, isInColumn = false }: ChangedTimeProps) {
  const action = change?.documents[0]?.action ?? 'created';
  const origin =
    change ?? (content.value && importOf(version, content.value.imports, content.value.environment.createdAt));
  const made = origin ? originText(origin.command) : isInColumn ? '' : 'changed';
  return (
    <>
      {action === 'created' ? made : action === 'edited' ? 'changed' : action}
      {change && <> by {plainly(change.by)},</>} <Time at={origin?.at ?? version} />
    </>
  );
}

/** Kind, author and time of a document's last change, from the history. */
export function LastChange({ stored }: { readonly stored: VersionedDocument }) {
  const { id: env } = useEnvironment();
  const { kind, version } = stored;
  const id = documentId(stored);
  const ask = () => request('GET environments/:env/history', { env, query: { kind, id } });
  const asked = usePolled(ask, [env, kind, id, version], once);
  return <ChangedTime version={version} change={asked?.changes?.[0]} />;
}
