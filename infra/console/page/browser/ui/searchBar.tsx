import type { State } from '../../logic/search.ts';
import { Choice } from './choice.tsx';

interface SearchBarProps<S extends State> {
  readonly label: string;
  readonly placeholder: string;
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly state: S;
  readonly states: readonly S[];
  readonly onState: (state: S) => void;
}

/** What is looked for in a list, and in which state. */
export function SearchBar<S extends State>(props: SearchBarProps<S>) {
  const { label, placeholder, words, onWords, state, states, onState } = props;
  return (
    <search class="search">
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={words}
        onInput={(event) => onWords(event.currentTarget.value)}
      />
      <Choice
        label="State"
        value={state}
        options={states.map((each) => ({ value: each, text: each }))}
        onChange={onState}
      />
    </search>
  );
}
