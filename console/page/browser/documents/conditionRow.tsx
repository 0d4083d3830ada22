import { useId } from 'preact/hooks';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import {
  type ConditionFields,
  isAboutSegments,
  OPERATORS,
  takesList,
  takesValue,
} from '../../logic/conditionFields.ts';
import { SegmentChoice } from './segmentChoice.tsx';

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
