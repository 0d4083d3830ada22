import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Condition } from '../../../../shared/flags/rule.ts';
import { TextField } from '../../../ui/field.tsx';
import { uuid } from '../../../ui/uuid.ts';
import { type ConditionFields, conditionOf, fieldsOf } from '../../logic/conditionFields.ts';
import { knownAttributes } from '../state/knownAttributes.ts';
import { ConditionRow } from './conditionRow.tsx';
import { InlineForm } from './inlineForm.tsx';

interface RuleFormProps {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly mayAskSegments: boolean;
  /** What else belongs to the rule. */
  readonly children?: ComponentChildren;
  /** @throws {InvalidInput} for what cannot be */
  readonly onDone: (rule: { readonly name: string; readonly conditions: readonly Condition[] }) => void;
  readonly onCancel: () => void;
}

const newCondition = (): ConditionFields => ({
  id: uuid(),
  attribute: '',
  operator: '=',
  value: '',
  segmentIds: [],
});

/** A rule's name and conditions, all of which must hold. */
export function RuleForm({ name, conditions, mayAskSegments, children, onDone, onCancel }: RuleFormProps) {
  const [typedName, setName] = useState(name);
  const [rows, setRows] = useState(conditions.length > 0 ? conditions.map(fieldsOf) : [newCondition()]);
  return (
    <InlineForm
      class="rule-form"
      onDone={() => onDone({ name: typedName.trim() || name, conditions: rows.map(conditionOf) })}
      onCancel={onCancel}
    >
      <TextField
        label="Name of the rule"
        hint="SDKs get it as the reason."
        value={typedName}
        onInput={setName}
        isFirst
      />
      <p class="label">If all of these hold</p>
      {rows.map((fields, index) => (
        <ConditionRow
          key={fields.id ?? index}
          fields={fields}
          number={index + 1}
          attributes={knownAttributes.value}
          mayAskSegments={mayAskSegments}
          onChange={(changed) => setRows(rows.with(index, changed))}
          onRemove={rows.length > 1 ? () => setRows(rows.toSpliced(index, 1)) : undefined}
        />
      ))}
      <button type="button" class="small" onClick={() => setRows([...rows, newCondition()])}>
        Add a condition
      </button>
      {children}
    </InlineForm>
  );
}
