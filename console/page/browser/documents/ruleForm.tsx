import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Condition } from '../../../../shared/flags/rule.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { type ConditionFields, conditionOf, fieldsOf } from '../../logic/conditionFields.ts';
import { messageOf } from '../api/request.ts';
import { ConditionRow } from './conditionRow.tsx';
import { InlineForm } from './inlineForm.tsx';

interface RuleFields {
  readonly name: string;
  readonly conditions: readonly Condition[];
}

interface RuleFormProps {
  readonly rule: RuleFields;
  readonly mayAskSegments: boolean;
  /** Other fields of the rule. */
  readonly children?: ComponentChildren;
  /** @returns false if other fields show a problem @throws {InvalidInput} */
  readonly onDone: (rule: RuleFields) => unknown;
  readonly onClose: () => void;
}

const newCondition = (): ConditionFields => ({
  id: crypto.randomUUID(),
  attribute: '',
  operator: '=',
  value: '',
  segmentIds: [],
});

/** A rule's name and conditions, all of which must match. */
export function RuleForm({ rule, mayAskSegments, children, onDone, onClose }: RuleFormProps) {
  const { name, conditions } = rule;
  const [typedName, setName] = useState(name);
  const [rows, setRows] = useState(conditions.length > 0 ? conditions.map(fieldsOf) : [newCondition()]);
  const [isTried, setTried] = useState(false);
  const read = rows.map(readRow);
  const done = () => {
    setTried(true);
    const complete = read.flatMap(({ condition }) => condition ?? []);
    if (complete.length < rows.length) return false;
    return onDone({ name: typedName.trim() || name, conditions: complete });
  };
  return (
    <InlineForm class="rule-form" onDone={done} onClose={onClose}>
      <TextField
        label="Rule name"
        hint="SDKs report this name as the reason."
        value={typedName}
        onInput={setName}
        isFirst
      />
      <p class="label">If all conditions match</p>
      {rows.map((fields, index) => (
        <ConditionRow
          key={fields.id ?? index}
          fields={fields}
          number={index + 1}
          mayAskSegments={mayAskSegments}
          problem={isTried ? read[index]?.problem : undefined}
          onChange={(changed) => setRows(rows.with(index, changed))}
          onRemove={rows.length > 1 ? () => setRows(rows.toSpliced(index, 1)) : undefined}
        />
      ))}
      <Button
        text="Add condition"
        kind="small"
        onClick={() => {
          setTried(false);
          setRows([...rows, newCondition()]);
        }}
      />
      {children}
    </InlineForm>
  );
}

/** The condition of a row, or its problem. */
function readRow(fields: ConditionFields): { readonly condition?: Condition; readonly problem?: string } {
  try {
    return { condition: conditionOf(fields) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
