import type { ComponentChildren } from 'preact';
import {
  insertRule,
  type NamedRule,
  nameForRule,
  replaceRule,
  withoutRule,
} from '../../../../shared/flags/edits/ruleEdits.ts';
import type { Condition } from '../../../../shared/flags/rule.ts';
import { Button } from '../../../ui/button.tsx';
import { useOpened } from '../../../ui/opened.ts';
import { RuleCard } from './ruleCard.tsx';
import { Section } from './section.tsx';

/** A rule to edit in a form. */
export interface RuleEdit<R> {
  readonly rule: R;
  readonly onDone: (rule: R) => void;
  readonly onClose: () => void;
}

interface RulesSectionProps<R extends NamedRule, D> {
  readonly document: D & { readonly rules: readonly R[]; readonly isArchived: boolean };
  readonly about: string;
  /** Shown without rules. */
  readonly hint?: string;
  readonly onChange: (document: D) => void;
  /** Completes a new rule without conditions. */
  readonly complete: (rule: NamedRule & { readonly conditions: readonly Condition[] }) => R;
  readonly form: (edit: RuleEdit<R>) => ComponentChildren;
  /** Renders what a rule serves. */
  readonly served?: (rule: R) => ComponentChildren;
}

const NEW = 'new';
const editId = (id: string) => `edit-rule-${id}`;

/** The rules of a flag or segment, with forms to add and edit them. */
export function RulesSection<R extends NamedRule & { readonly conditions: readonly Condition[] }, D>(
  props: RulesSectionProps<R, D>,
) {
  const { document: owner, about, hint, onChange, complete, form, served } = props;
  const { rules, isArchived } = owner;
  const { opened: edited, open, close } = useOpened(editId);
  const change = (changed: readonly R[]) => onChange({ ...owner, rules: changed });
  const formOf = (rule: R, save: (changed: R) => readonly R[]) =>
    form({
      rule,
      onDone: (changed) => change(save({ ...changed, name: nameForRule(withoutRule(rules, rule), changed.name) })),
      onClose: close,
    });
  return (
    <Section title="Rules" about={about}>
      <ol class="rules">
        {rules.map((rule, index) => (
          <li key={rule.id || index}>
            {edited === rule.id ? (
              formOf(rule, (changed) => replaceRule(rules, rule, changed))
            ) : (
              <RuleCard
                rule={rule}
                place={index + 1}
                count={rules.length}
                isFixed={isArchived}
                editId={editId(rule.id)}
                onEdit={() => open(rule.id)}
                onMove={(place) => change(insertRule(withoutRule(rules, rule), rule, String(place)))}
                onRemove={() => {
                  change(withoutRule(rules, rule));
                  document.getElementById(editId(NEW))?.focus();
                }}
              >
                {served?.(rule)}
              </RuleCard>
            )}
          </li>
        ))}
      </ol>
      {hint && rules.length === 0 && edited !== NEW && <p class="hint">{hint}</p>}
      {edited === NEW
        ? formOf(complete({ id: crypto.randomUUID(), name: nameForRule(rules), conditions: [] }), (rule) =>
            insertRule(rules, rule),
          )
        : !isArchived && <Button text="Add rule" id={editId(NEW)} onClick={() => open(NEW)} />}
    </Section>
  );
}
