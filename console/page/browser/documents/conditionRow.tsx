import { useId, useState } from 'preact/hooks';
import { Button } from '../../../ui/button.tsx';
import { Check, Choice, SearchInput } from '../../../ui/field.tsx';
import {
  type ConditionFields,
  isAboutSegments,
  OPERATORS,
  takesList,
  takesValue,
} from '../../logic/conditionFields.ts';
import { segments } from '../state/content.ts';

interface ConditionRowProps {
  readonly fields: ConditionFields;
  readonly number: number;
  readonly mayAskSegments: boolean;
  /** The reason why it cannot be saved. */
  readonly problem?: string | undefined;
  readonly onChange: (fields: ConditionFields) => void;
  readonly onRemove?: (() => void) | undefined;
}

/** One condition: an attribute, an operator and a value; or segments. */
export function ConditionRow(props: ConditionRowProps) {
  const { fields, number, mayAskSegments, problem, onChange, onRemove } = props;
  const id = useId();
  const { attribute, operator, value, segmentIds } = fields;
  const operators = mayAskSegments ? OPERATORS : OPERATORS.filter((word) => !isAboutSegments(word));
  const named = `condition ${number}`;
  const isWrong = problem === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-problem` };
  return (
    <fieldset class="condition">
      <legend class="hidden">Condition {number}</legend>
      {!isAboutSegments(operator) && (
        <input
          aria-label={`Attribute of ${named}`}
          {...(attribute.trim() === '' ? isWrong : {})}
          class="code"
          placeholder="attribute"
          list="attributes"
          value={attribute}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onChange({ ...fields, attribute: event.currentTarget.value })}
        />
      )}
      <Choice
        label={`Operator of ${named}`}
        value={operator}
        options={operators}
        onChange={(word) => onChange({ ...fields, operator: word })}
      />
      {takesValue(operator) && (
        <input
          aria-label={`Value of ${named}`}
          {...(attribute.trim() === '' ? {} : isWrong)}
          class="code grow"
          placeholder={takesList(operator) ? 'CN, US' : 'value'}
          value={value}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onChange({ ...fields, value: event.currentTarget.value })}
        />
      )}
      {isAboutSegments(operator) && (
        <SegmentChoice chosen={segmentIds} onChange={(chosen) => onChange({ ...fields, segmentIds: chosen })} />
      )}
      {onRemove && <Button text="✕" kind="quiet" label={`Remove ${named}`} onClick={onRemove} />}
      {problem && (
        <p class="problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

interface SegmentChoiceProps {
  /** Ids of segments. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** With more segments than this, a search field is shown. */
const SEARCHED_FROM = 10;

/** A choice of several segments. Selected ones are always shown. */
function SegmentChoice({ chosen, onChange }: SegmentChoiceProps) {
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
