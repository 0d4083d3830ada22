import type { Difference } from '../flags/difference.ts';
import { nameOfVariation } from '../flags/shares.ts';
import type { Change } from './documentChanges.ts';
import { type DocumentNames, storedText } from './storedText.ts';

/** A document of the history: created by the change, or how it differs from what it was. */
interface ChangedDocument {
  readonly isNew: boolean;
  /** As JSON leaves them: without the side that is undefined. */
  readonly differences: readonly (Pick<Difference, 'path'> & Partial<Difference>)[];
}

const LABELS: Readonly<Record<string, string>> = {
  isEnabled: 'Switch',
  isArchived: 'Archived',
  isDeleted: 'Deleted',
  disabledVariationId: 'When off, serve',
  targetUsers: 'Individual targets',
  fallthrough: 'Default rule',
  exptIncludeAllTargets: 'All users sent to experiments',
};

/** What a change did to a document. */
export function changesIn({ differences }: ChangedDocument, names: DocumentNames): Change[] {
  return differences.map(({ path, before, after }) => ({
    label: labelOf(path, names),
    before: valueText(path, before, names),
    after: valueText(path, after, names),
  }));
}

/** What undoing a change does to a document. A document that it created is archived, so that SDKs drop it. */
export function undoneIn(document: ChangedDocument, names: DocumentNames): Change[] {
  if (document.isNew) return [{ label: labelOf('isArchived', names), before: 'no', after: 'yes' }];
  return changesIn(document, names).map(({ label, before, after }) => ({ label, before: after, after: before }));
}

/** A path within a document as people read it: `rules.Staff.conditions` is of the rule “Staff”. */
function labelOf(path: string, { flag }: DocumentNames): string {
  const [field = '', ...names] = path.split('.');
  const label = LABELS[field] ?? field.charAt(0).toUpperCase() + field.slice(1);
  const [first, ...within] = field === 'fallthrough' ? ['', ...names] : names;
  const of = first ? `${field === 'rules' ? 'Rule' : label} “${first}”` : label;
  const [part, id] = within;
  const share = part === 'variations' && flag?.variations.find((variation) => variation.id === id);
  if (share) return `${of}, ${nameOfVariation(share)}`;
  return part === undefined || part === 'variations' ? of : `${of}, ${part}`;
}

function valueText(path: string, value: unknown, names: DocumentNames): string | undefined {
  if (path === 'isEnabled' && typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === undefined ? undefined : storedText(value, names);
}

const CONSOLE = 'console: ';

/** How a change was made: by a command, or in the console. The console's action is shown elsewhere, so only the reason is added. */
export function commandText(command: string): string {
  if (!command.startsWith(CONSOLE)) return command;
  const text = command.slice(CONSOLE.length);
  const at = text.endsWith(')') ? text.indexOf(' (') : -1;
  const [done, reason] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 2, -1)];
  const undone = done.startsWith('undid ') ? `: ${done}` : '';
  return `console${undone}${reason === undefined ? '' : ` — ${reason}`}`;
}
