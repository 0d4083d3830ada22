import { useLayoutEffect, useRef } from 'preact/hooks';
import { VARIATION_TYPES } from '../../../../shared/flags/flag.ts';
import { Choice, SearchInput } from '../../../ui/field.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { type FlagSearch, SORTS, STATES } from '../../logic/search.ts';
import { flags, tagsOf } from '../state/content.ts';

interface FlagFiltersProps {
  readonly search: FlagSearch;
  readonly onChange: (changed: Partial<FlagSearch>) => void;
}

const SORT_TEXTS = { name: 'sort by name', changed: 'sort by last change' } as const;

/** Filters of the list of flags. */
export function FlagFilters({ search, onChange }: FlagFiltersProps) {
  const { words, state, type, tags, sort } = search;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      const isWriting = document.querySelector('input:focus, textarea:focus, select:focus, dialog[open]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focusOnSlash);
    return () => removeEventListener('keydown', focusOnSlash);
  }, []);
  const filters = [state, type].filter((each) => each !== 'all').length;
  const otherTags = tagsOf(flags.value).filter((tag) => !tags.includes(tag));
  return (
    <search class="search">
      <SearchInput
        ref={field}
        label="Search flags"
        aria-keyshortcuts="/"
        placeholder="Search keys, names, tags (/)"
        value={words}
        onInput={(typed) => onChange({ words: typed })}
      />
      <Menu text={filters === 0 ? 'Filters' : `Filters (${filters})`}>
        <Choice
          label="State"
          value={state}
          options={STATES.map((each) => ({ value: each, text: each === 'all' ? 'any state' : each }))}
          onChange={(chosen) => onChange({ state: chosen })}
        />
        <Choice
          label="Type"
          value={type}
          options={[{ value: 'all', text: 'any type' }, ...VARIATION_TYPES]}
          onChange={(chosen) => onChange({ type: chosen })}
        />
        {otherTags.length > 0 && (
          <Choice
            label="Tag"
            value=""
            options={[{ value: '', text: 'any tag' }, ...otherTags]}
            onChange={(tag) => onChange({ tags: [...tags, tag] })}
          />
        )}
        <Choice
          label="Sort"
          value={sort}
          options={SORTS.map((each) => ({ value: each, text: SORT_TEXTS[each] }))}
          onChange={(chosen) => onChange({ sort: chosen })}
        />
      </Menu>
      {tags.map((tag) => (
        <button
          type="button"
          key={tag}
          class="tag"
          aria-label={`Remove filter tag ${tag}`}
          onClick={() => onChange({ tags: tags.filter((other) => other !== tag) })}
        >
          {tag} ✕
        </button>
      ))}
    </search>
  );
}
