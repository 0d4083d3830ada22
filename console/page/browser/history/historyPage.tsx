import { useState } from 'preact/hooks';
import { CHANGE_ACTIONS, type ChangeAction } from '../../../../shared/flags/changeAction.ts';
import { findNamed } from '../../../../shared/flags/findNamed.ts';
import { InvalidInput } from '../../../../shared/flags/invalidInput.ts';
import type { HistoryQuery } from '../../../schemas.ts';
import { Alert, Heading } from '../../../ui/blocks.tsx';
import { ChoiceField, Field } from '../../../ui/field.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { messageOf } from '../api/request.ts';
import { flags, segments } from '../state/content.ts';
import { context, plain } from '../state/session.ts';
import { ChangeList } from './changeList.tsx';

/** All changes of an environment. */
export function HistoryPage() {
  const [filter, setFilter] = useState(ANY_CHANGE);
  const { query } = readFilter(filter);
  return (
    <>
      <Heading
        title="History"
        lead="Who changed what, when and how. Undo any change that no later change depends on."
      />
      <HistoryFilter filter={filter} onChange={setFilter} />
      {query && <ChangeList title="Changes" query={query} />}
    </>
  );
}

interface FilterFields {
  readonly by: string;
  /** A flag's key or a segment's name. */
  readonly document: string;
  readonly action: ChangeAction | '';
  /** Days as `2030-12-31`, in the time of this machine. */
  readonly from: string;
  readonly to: string;
}

/** A filter that every change passes. */
const ANY_CHANGE: FilterFields = { by: '', document: '', action: '', from: '', to: '' };

/** The query of the filter, or why it has none: it names no flag or segment, or several segments. */
function readFilter(filter: FilterFields): { readonly query?: HistoryQuery; readonly problem?: string } {
  try {
    return { query: queryOf(filter) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function queryOf({ by, document, action, from, to }: FilterFields): HistoryQuery {
  const named = document === '' ? {} : findDocument(document);
  return {
    ...named,
    ...(by === '' ? {} : { by }),
    ...(action === '' ? {} : { action }),
    ...(from === '' ? {} : { since: startOf(from, 0) }),
    ...(to === '' ? {} : { until: startOf(to, 1) }),
  };
}

interface HistoryFilterProps {
  readonly filter: FilterFields;
  readonly onChange: (filter: FilterFields) => void;
}

/** Filters by author, document, action and day. A text applies on Enter or when the field loses focus. */
function HistoryFilter({ filter, onChange }: HistoryFilterProps) {
  const field = (label: string, name: 'by' | 'document' | 'from' | 'to', type: 'search' | 'date') => (
    <Field label={label}>
      {(attributes) => (
        <input
          {...attributes}
          type={type}
          list={`history-${name}`}
          defaultValue={filter[name]}
          autocomplete="off"
          onChange={({ currentTarget }) => onChange({ ...filter, [name]: currentTarget.value.trim() })}
        />
      )}
    </Field>
  );
  const set = Object.values(filter).filter(Boolean).length;
  const problem = readFilter(filter).problem;
  return (
    <search class="filters">
      <datalist id="history-by">
        {context.value && <option value={context.value.by}>{plain(context.value.by)}</option>}
      </datalist>
      <datalist id="history-document">
        {flags.value.map(({ document: { key } }) => (
          <option key={key} value={key} />
        ))}
        {segments.value.map(({ document: { id, name } }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <Menu text={set === 0 ? 'Filters' : `Filters (${set})`}>
        {field('Person', 'by', 'search')}
        {field('Flag or segment', 'document', 'search')}
        <ChoiceField
          label="Change"
          value={filter.action}
          options={[{ value: '', text: 'any' }, ...CHANGE_ACTIONS]}
          onChange={(action) => onChange({ ...filter, action })}
        />
        {field('From', 'from', 'date')}
        {field('To', 'to', 'date')}
      </Menu>
      <Alert text={problem} />
    </search>
  );
}

function findDocument(name: string): Pick<HistoryQuery, 'kind' | 'id'> {
  if (flags.value.some(({ document }) => document.key === name)) return { kind: 'flag', id: name };
  const all = segments.value.map(({ document }) => document);
  const segment = findNamed(all, name, [(each) => each.name], 'segments');
  if (!segment) throw new InvalidInput(`No flag or segment is called “${name}”.`);
  return { kind: 'segment', id: segment.id };
}

/** Midnight of a day, or of a day some days later, in unix milliseconds. */
function startOf(day: string, daysLater: number): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return Math.max(0, new Date(year, month - 1, date + daysLater).getTime());
}
