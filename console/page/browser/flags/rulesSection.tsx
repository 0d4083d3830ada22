import { useState } from 'preact/hooks';
import type { Flag } from '../../../../shared/flags/flag.ts';
import type { TargetingRule } from '../../../../shared/flags/rule.ts';
import { insertRule, nameForRule, replaceRule, withoutRule } from '../../../../shared/flags/ruleEdits.ts';
import { everybody } from '../../../../shared/flags/shares.ts';
import { Button } from '../../../ui/button.tsx';
import { useOpened } from '../../../ui/opened.ts';
import { RuleCard } from '../documents/ruleCard.tsx';
import { RuleForm } from '../documents/ruleForm.tsx';
import { Section } from '../documents/section.tsx';
import { choiceOf, isComplete, RolloutFields, rolloutOf } from './rolloutFields.tsx';
import { RolloutView } from './rolloutView.tsx';

interface RulesSectionProps {
  readonly flag: Flag;
  readonly onChange: (flag: Flag) => void;
}

const NEW = 'new';
const editId = (id: string) => `edit-rule-${id}`;

/** A flag's rules. They are evaluated in order; the first match wins. */
export function RulesSection({ flag, onChange }: RulesSectionProps) {
  const [edited, setEdited] = useOpened(editId);
  const { rules } = flag;
  const form = (rule: TargetingRule, save: (rule: TargetingRule) => void) => (
    <FlagRuleForm
      flag={flag}
      rule={rule}
      onCancel={() => setEdited(undefined)}
      onDone={(changed) => {
        save({ ...changed, name: nameForRule(withoutRule(rules, rule), changed.name) });
        setEdited(undefined);
      }}
    />
  );
  return (
    <Section title="Rules" about="Checked from top to bottom. The first match wins.">
      <ol class="rules">
        {rules.map((rule, index) => (
          <li key={rule.id || index}>
            {edited === rule.id ? (
              form(rule, (changed) => onChange({ ...flag, rules: replaceRule(rules, rule, changed) }))
            ) : (
              <RuleCard
                rule={rule}
                place={index + 1}
                count={rules.length}
                isFixed={flag.isArchived}
                editId={editId(rule.id)}
                onEdit={() => setEdited(rule.id)}
                onMove={(place) =>
                  onChange({ ...flag, rules: insertRule(withoutRule(rules, rule), rule, String(place)) })
                }
                onRemove={() => {
                  onChange({ ...flag, rules: withoutRule(rules, rule) });
                  document.getElementById(editId(NEW))?.focus();
                }}
              >
                <RolloutView flag={flag} rollout={rule} />
              </RuleCard>
            )}
          </li>
        ))}
      </ol>
      {rules.length === 0 && edited !== NEW && <p class="hint">No rules yet: everyone gets the default below.</p>}
      {edited === NEW
        ? form(newRule(flag), (rule) => onChange({ ...flag, rules: insertRule(rules, rule) }))
        : !flag.isArchived && <Button text="Add rule" id={editId(NEW)} onClick={() => setEdited(NEW)} />}
    </Section>
  );
}

interface FlagRuleFormProps {
  readonly flag: Flag;
  readonly rule: TargetingRule;
  readonly onDone: (rule: TargetingRule) => void;
  readonly onCancel: () => void;
}

function FlagRuleForm({ flag, rule, onDone, onCancel }: FlagRuleFormProps) {
  const [choice, setChoice] = useState(() => choiceOf(flag, rule));
  return (
    <RuleForm
      name={rule.name}
      conditions={rule.conditions}
      mayAskSegments
      onDone={(changed) => isComplete(flag, rule, choice) && onDone({ ...rolloutOf(flag, rule, choice), ...changed })}
      onCancel={onCancel}
    >
      <RolloutFields label="Then serve" flag={flag} choice={choice} onChange={setChoice} />
    </RuleForm>
  );
}

function newRule(flag: Flag): TargetingRule {
  return {
    id: crypto.randomUUID(),
    name: nameForRule(flag.rules),
    dispatchKey: null,
    includedInExpt: false,
    variations: everybody(flag.variations[0]?.id ?? ''),
    conditions: [],
  };
}
