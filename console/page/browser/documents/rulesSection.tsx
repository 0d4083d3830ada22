import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatCondition } from '../../../../shared/describe/conditionText.ts';
import {
  insertRule,
  type NamedRule,
  nameForRule,
  replaceRule,
  withoutRule,
} from '../../../../shared/flags/edits/ruleEdits.ts';
import type { Condition } from '../../../../shared/flags/rule.ts';
import { Section } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { useOpened } from '../../../ui/opened.ts';
import { segmentName } from '../state/content.ts';

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
  /** More actions of a rule. */
  readonly actions?: (rule: R) => ComponentChildren;
}

const NEW = 'new';
const editId = (id: string) => `edit-rule-${id}`;

/** The rules of a flag or segment, with forms to add and edit them. */
export function RulesSection<R extends NamedRule & { readonly conditions: readonly Condition[] }, D>(
  props: RulesSectionProps<R, D>,
) {
  const { document: owner, about, hint, onChange, complete, form, served, actions } = props;
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
                actions={actions?.(rule)}
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

interface RuleCardProps {
  readonly rule: { readonly name: string; readonly conditions: readonly Condition[] };
  /** From 1, of `count`. */
  readonly place: number;
  readonly count: number;
  readonly isFixed: boolean;
  readonly children?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly editId: string;
  readonly onEdit: () => void;
  readonly onMove: (place: number) => void;
  readonly onRemove: () => void;
}

/** A rule in words, with its actions. */
function RuleCard(props: RuleCardProps) {
  const { rule, place, count, isFixed, children, actions, editId, onEdit, onMove, onRemove } = props;
  const up = useRef<HTMLButtonElement>(null);
  const down = useRef<HTMLButtonElement>(null);
  /** Focuses the button that moved a rule. At an end it is disabled, and the other one gets the focus. */
  const pressed = useRef<HTMLButtonElement | null>(null);
  useLayoutEffect(() => {
    const [first, second] = pressed.current === up.current ? [up, down] : [down, up];
    if (pressed.current) (first.current?.disabled ? second : first).current?.focus();
    pressed.current = null;
  }, [place]);
  const mover = (text: string, direction: string, ref: typeof up, end: number, to: number) => (
    <Button
      text={text}
      kind="quiet"
      ref={ref}
      label={`Move ${rule.name} ${direction}`}
      disabled={place === end}
      onClick={() => {
        pressed.current = ref.current;
        onMove(to);
      }}
    />
  );
  return (
    <div class="rule">
      <header>
        <div class="title">
          <h3>
            <span class="place">{place}</span> {rule.name}
          </h3>
          {!isFixed && mover('↑', 'up', up, 1, place - 1)}
          {!isFixed && mover('↓', 'down', down, count, place + 1)}
        </div>
        {!isFixed && (
          <div class="actions">
            {actions}
            <Button text="Edit" id={editId} kind="small" label={`Edit rule ${rule.name}`} onClick={onEdit} />
            <Button text="Remove" kind="small" label={`Remove rule ${rule.name}`} onClick={onRemove} />
          </div>
        )}
      </header>
      <ul class="conditions">
        {rule.conditions.length === 0 && <li>everyone</li>}
        {rule.conditions.map((condition, index) => (
          <li key={index}>
            <span class="word">{index === 0 ? 'if' : 'and'}</span>{' '}
            <code>{formatCondition(condition, segmentName.value)}</code>
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}
