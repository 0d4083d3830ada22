import { useId } from 'preact/hooks';
import { Choice } from '../../../ui/choice.tsx';
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
  /** Names of attributes that others ask about. */
  readonly attributes: readonly string[];
  /** Whether it may ask about segments. */
  readonly mayAskSegments: boolean;
  readonly onChange: (fields: ConditionFields) => void;
  readonly onRemove?: (() => void) | undefined;
}

/** One condition: an attribute, an operator and a value; or segments. */
export function ConditionRow({ fields, number, attributes, mayAskSegments, onChange, onRemove }: ConditionRowProps) {
  const id = useId();
  const { attribute, operator, value } = fields;
  const operators = mayAskSegments ? OPERATORS : OPERATORS.filter((word) => !isAboutSegments(word));
  const named = `condition ${number}`;
  return (
    <fieldset class="condition">
      <legend class="hidden">Condition {number}</legend>
      {!isAboutSegments(operator) && (
        <input
          aria-label={`Attribute of ${named}`}
          class="code"
          placeholder="attribute"
          list={`${id}-attributes`}
          value={attribute}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onChange({ ...fields, attribute: event.currentTarget.value })}
        />
      )}
      <datalist id={`${id}-attributes`}>
        {attributes.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Choice
        label={`Operator of ${named}`}
        value={operator}
        options={operators.map((word) => ({ value: word, text: word }))}
        onChange={(word) => onChange({ ...fields, operator: word })}
      />
      {takesValue(operator) && (
        <input
          aria-label={`Value of ${named}`}
          class="code grow"
          placeholder={takesList(operator) ? 'CN, US' : 'value'}
          value={value}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onChange({ ...fields, value: event.currentTarget.value })}
        />
      )}
      {isAboutSegments(operator) && <SegmentChoice fields={fields} onChange={onChange} />}
      {onRemove && (
        <button type="button" class="quiet" aria-label={`Remove ${named}`} onClick={onRemove}>
          ✕
        </button>
      )}
    </fieldset>
  );
}

function SegmentChoice({ fields, onChange }: Pick<ConditionRowProps, 'fields' | 'onChange'>) {
  const shown = segments.value.filter(
    ({ document }) => !document.isArchived || fields.segmentIds.includes(document.id),
  );
  if (shown.length === 0) return <p class="hint">There are no segments yet.</p>;
  const toggle = (id: string, isChosen: boolean) => {
    const others = fields.segmentIds.filter((other) => other !== id);
    onChange({ ...fields, segmentIds: isChosen ? [...others, id] : others });
  };
  return (
    <div class="grow checks">
      {shown.map(({ document: { id, name } }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={fields.segmentIds.includes(id)}
            onChange={(event) => toggle(id, event.currentTarget.checked)}
          />
          {name}
        </label>
      ))}
    </div>
  );
}
