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
  const [document] = change?.documents ?? [];
  if (change && document) {
    const { action } = document;
    const text = action === 'created' ? originText(change.command) : action === 'edited' ? 'changed' : action;
    return (
      <>
        {text} <Time at={change.at} />
      </>
    );
  }
  const origin = content.value?.imports.find((each) => each.previous < version && version <= each.version);
  const text = origin ? originText(origin.command) : isInColumn ? '' : 'changed';
  return (
    <>
      {text} <Time at={origin?.at ?? version} />
    </>
  );
}
