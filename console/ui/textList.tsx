import { useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { SearchInput } from './field.tsx';
import { mergeTexts } from './mergeTexts.ts';

interface TextListProps {
  readonly label: string;
  readonly items: readonly string[];
  readonly onChange: (items: readonly string[]) => void;
  readonly placeholder: string;
  readonly disabled?: boolean;
}

/** Maximum number of visible texts. With more, a search field is shown. */
const SHOWN = 100;

/** Hint about adding several texts. */
export const PASTE_HINT = 'To add several, paste a list: new lines, commas, semicolons and tabs separate them.';

/** An editable list of texts, such as tags or user keys. Enter or paste adds one or several. */
export function TextList({ label, items, onChange, placeholder, disabled = false }: TextListProps) {
  const [typed, setTyped] = useState('');
  const [words, setWords] = useState('');
  const [said, setSaid] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const add = (text: string) => {
    setTyped('');
    const { items: merged, added, repeated } = mergeTexts(items, text);
    if (added + repeated === 0) return;
    if (added > 0) onChange(merged);
    setSaid(`Added ${added}.${repeated > 0 ? ` Already listed: ${repeated}.` : ''}`);
  };
  const remove = (item: string) => {
    onChange(items.filter((other) => other !== item));
    setSaid(`Removed ${item}.`);
    field.current?.focus();
  };
  const isSearched = items.length > SHOWN;
  const wanted = isSearched ? words.trim().toLowerCase() : '';
  const found = wanted === '' ? items : items.filter((item) => item.toLowerCase().includes(wanted));
  return (
    <div class="text-list">
      {isSearched && (
        <>
          <SearchInput
            label={`Search ${label}`}
            placeholder={`Search ${items.length.toLocaleString('en')} ${label}`}
            value={words}
            onInput={setWords}
          />
          <p class="hint" aria-live="polite">
            {found.length > SHOWN
              ? `Showing ${SHOWN} of ${found.length.toLocaleString('en')}. Search to find the others.`
              : `${found.length} of ${items.length.toLocaleString('en')} found.`}
          </p>
        </>
      )}
      <ul aria-label={label}>
        {found.slice(0, SHOWN).map((item) => (
          <li key={item} class="chip">
            <span>{item}</span>
            {!disabled && (
              <Button text="✕" kind="quiet" label={`Remove ${item} from ${label}`} onClick={() => remove(item)} />
            )}
          </li>
        ))}
      </ul>
      {!disabled && (
        <div class="add">
          <input
            ref={field}
            aria-label={`Add to ${label}`}
            placeholder={placeholder}
            value={typed}
            autocomplete="off"
            onInput={(event) => setTyped(event.currentTarget.value)}
            onPaste={(event) => {
              const pasted = event.clipboardData?.getData('text') ?? '';
              // A single-line field would join the lines.
              if (!/[\n\t]/.test(pasted)) return;
              event.preventDefault();
              add(`${typed}${pasted}`);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add(typed);
            }}
            onBlur={() => typed !== '' && add(typed)}
          />
          <Button text="Add" onClick={() => add(typed)} />
        </div>
      )}
      <p class="hint" aria-live="polite">
        {said}
      </p>
    </div>
  );
}
