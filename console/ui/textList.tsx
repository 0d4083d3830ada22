import { useState } from 'preact/hooks';

interface TextListProps {
  readonly label: string;
  readonly items: readonly string[];
  readonly onChange: (items: readonly string[]) => void;
  readonly placeholder: string;
  readonly disabled?: boolean;
}

/** The most that are shown at once: a segment may include thousands. */
const SHOWN = 100;

/** A list of texts, such as tags or key ids: added by Enter, several of them separated by commas or lines. */
export function TextList({ label, items, onChange, placeholder, disabled = false }: TextListProps) {
  const [typed, setTyped] = useState('');
  const add = () => {
    const texts = typed.split(/[,\n]/).flatMap((text) => text.trim() || []);
    if (texts.length > 0) onChange([...new Set([...items, ...texts])]);
    setTyped('');
  };
  return (
    <div class="text-list">
      <ul aria-label={label}>
        {items.slice(0, SHOWN).map((item) => (
          <li key={item} class="chip">
            <span>{item}</span>
            {!disabled && (
              <button
                type="button"
                aria-label={`Remove ${item} from ${label}`}
                onClick={() => onChange(items.filter((other) => other !== item))}
              >
                ✕
              </button>
            )}
          </li>
        ))}
        {items.length > SHOWN && <li class="hint">and {items.length - SHOWN} more</li>}
      </ul>
      {!disabled && (
        <div class="add">
          <input
            aria-label={`Add to ${label}`}
            placeholder={placeholder}
            value={typed}
            autocomplete="off"
            onInput={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add();
            }}
            onBlur={add}
          />
          <button type="button" class="small" onClick={add}>
            Add
          </button>
        </div>
      )}
    </div>
  );
}
