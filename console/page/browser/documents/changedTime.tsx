import type { HistoryChange } from '../../../history.ts';
import { Time } from '../../../ui/time.tsx';
import { originText } from '../../logic/origin.ts';
import { content } from '../state/content.ts';

interface ChangedTimeProps {
  readonly version: number;
  /** Its last change in the history, where that was read. */
  readonly change?: HistoryChange | undefined;
  /** Whether a heading says already that it is about changes. */
  readonly isInColumn?: boolean;
}

/** When and how a document came or was changed, as far as the history knows. An imported one keeps the version that it had elsewhere. */
export function ChangedTime({ version, change, isInColumn = false }: ChangedTimeProps) {
  const action = change?.documents[0]?.action ?? 'created';
  const origin = change ?? content.value?.imports.find((each) => each.previous < version && version <= each.version);
  const made = origin ? originText(origin.command) : isInColumn ? '' : 'changed';
  return (
    <>
      {action === 'created' ? made : action === 'edited' ? 'changed' : action} <Time at={origin?.at ?? version} />
    </>
  );
}
