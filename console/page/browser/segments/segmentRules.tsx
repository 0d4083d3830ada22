import { insertRule, nameForRule, replaceRule, withoutRule } from '../../../../shared/flags/ruleEdits.ts';
import type { Segment } from '../../../../shared/flags/segment.ts';
import { Button } from '../../../ui/button.tsx';
import { useOpened } from '../../../ui/opened.ts';
import { RuleCard } from '../documents/ruleCard.tsx';
import { RuleForm } from '../documents/ruleForm.tsx';
import { Section } from '../documents/section.tsx';

interface SegmentRulesProps {
  readonly segment: Segment;
  readonly onChange: (segment: Segment) => void;
}

type Rule = Segment['rules'][number];
const NEW = 'new';
const editId = (id: string) => `edit-rule-${id}`;

/** The rules of a segment: users who match one of them are in it. */
export function SegmentRules({ segment, onChange }: SegmentRulesProps) {
  const [edited, setEdited] = useOpened(editId);
  const { rules, isArchived } = segment;
  const form = (rule: Rule, save: (rule: Rule) => void) => (
    <RuleForm
      name={rule.name}
      conditions={rule.conditions}
      mayAskSegments={false}
      onCancel={() => setEdited(undefined)}
      onDone={(changed) => {
        save({ ...rule, ...changed, name: nameForRule(withoutRule(rules, rule), changed.name) });
        setEdited(undefined);
      }}
    />
  );
  return (
    <Section title="Rules" about="Users who match any rule are in the segment.">
      <ol class="rules">
        {rules.map((rule, index) => (
          <li key={rule.id || index}>
            {edited === rule.id ? (
              form(rule, (changed) => onChange({ ...segment, rules: replaceRule(rules, rule, changed) }))
            ) : (
              <RuleCard
                rule={rule}
                place={index + 1}
                count={rules.length}
                isFixed={isArchived}
                editId={editId(rule.id)}
                onEdit={() => setEdited(rule.id)}
                onMove={(place) =>
                  onChange({ ...segment, rules: insertRule(withoutRule(rules, rule), rule, String(place)) })
                }
                onRemove={() => {
                  onChange({ ...segment, rules: withoutRule(rules, rule) });
                  document.getElementById(editId(NEW))?.focus();
                }}
              />
            )}
          </li>
        ))}
      </ol>
      {edited === NEW
        ? form({ id: crypto.randomUUID(), name: nameForRule(rules), conditions: [] }, (rule) =>
            onChange({ ...segment, rules: insertRule(rules, rule) }),
          )
        : !isArchived && <Button text="Add rule" id={editId(NEW)} onClick={() => setEdited(NEW)} />}
    </Section>
  );
}
