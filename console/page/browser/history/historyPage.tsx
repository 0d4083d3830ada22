import { useState } from 'preact/hooks';
import { Heading } from '../../../ui/heading.tsx';
import { ChangeList } from './changeList.tsx';
import { ANY_CHANGE, HistoryFilter, readFilter } from './historyFilter.tsx';

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
