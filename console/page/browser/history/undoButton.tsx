import type { HistoryChange } from '../../../history.ts';
import { Button } from '../../../ui/button.tsx';
import { formatZoned } from '../../../ui/zoned.ts';
import { undoText } from '../../logic/actions.ts';
import { undoing } from '../state/review.ts';
import { useEnvironment } from '../state/shownEnvironment.ts';

/** A button that opens the dialog to undo a change. */
export function UndoButton({ change }: { readonly change: HistoryChange }) {
  const environment = useEnvironment();
  const text = undoText(change);
  const open = () => {
    undoing.value = { environment, change };
  };
  const label = `${text === 'Undo' ? text : `${text} of`} the change of ${formatZoned(change.at)}`;
  return <Button text={text} kind="small" label={label} onClick={open} />;
}
