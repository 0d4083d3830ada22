import { useState } from 'preact/hooks';
import { Check } from '../../../ui/check.tsx';
import { SearchInput } from '../../../ui/searchInput.tsx';
import { segments } from '../state/content.ts';

interface SegmentChoiceProps {
  /** Ids of segments. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** With more segments than this, a search field is shown. */
const SEARCHED_FROM = 10;

/** A choice of several segments. Selected ones are always shown. */
export function SegmentChoice({ chosen, onChange }: SegmentChoiceProps) {
  const [words, setWords] = useState('');
  const offered = segments.value.filter(({ document }) => !document.isArchived || chosen.includes(document.id));
  if (offered.length === 0) return <p class="hint">There are no segments yet.</p>;
  const wanted = words.trim().toLowerCase();
  const shown = offered.filter(
    ({ document: { id, name } }) => chosen.includes(id) || name.toLowerCase().includes(wanted),
  );
  const toggle = (id: string, isChosen: boolean) =>
    onChange([...chosen.filter((other) => other !== id), ...(isChosen ? [id] : [])]);
  return (
    <div class="grow segment-choice">
      {offered.length > SEARCHED_FROM && (
        <SearchInput
          label="Search segments"
          placeholder={`Search ${offered.length} segments`}
          value={words}
          onInput={setWords}
        />
      )}
      <div class="checks">
        {shown.map(({ document: { id, name } }) => (
          <Check key={id} label={name} isOn={chosen.includes(id)} onChange={(isChosen) => toggle(id, isChosen)} />
        ))}
      </div>
      {shown.length === 0 && <p class="hint">No segment matches.</p>}
    </div>
  );
}
