import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Document } from '../../../../shared/flags/document.ts';
import { Choice } from '../../../ui/choice.tsx';
import { isFound, type State } from '../../logic/search.ts';

interface SearchedListProps<D extends Document> {
  readonly documents: readonly D[];
  readonly kind: D['kind'];
  /** Placeholder of the search field. */
  readonly by: string;
  readonly states: readonly State[];
  /** Renders the item of a document. @param search starts another search */
  readonly item: (stored: D, search: (words: string) => void) => ComponentChildren;
}

/** Documents of a kind that match a search and a state. */
export function SearchedList<D extends Document>({ documents, kind, by, states, item }: SearchedListProps<D>) {
  const [words, setWords] = useState('');
  const [state, setState] = useState<State>('all');
  const found = documents.filter((each) => isFound(each, words, state));
  return (
    <>
      <search class="search">
        <input
          type="search"
          aria-label={`Search ${kind}s`}
          placeholder={`Search by ${by}`}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <Choice
          label="State"
          value={state}
          options={states.map((each) => ({ value: each, text: each }))}
          onChange={setState}
        />
      </search>
      <p class="hidden" aria-live="polite">
        {found.length === 1 ? `1 ${kind}` : `${found.length} ${kind}s`}
      </p>
      <ul class="list">{found.map((stored) => item(stored, setWords))}</ul>
      {found.length === 0 && <p class="hint">No {kind} matches.</p>}
    </>
  );
}
