import { useState } from 'preact/hooks';
import type { Flag } from '../../../../shared/flags/flag.ts';
import type { TargetingRule } from '../../../../shared/flags/rule.ts';
import { everybody } from '../../../../shared/flags/shares.ts';
import type { VersionedFlag } from '../../../api.ts';
import { RuleForm } from '../documents/ruleForm.tsx';
import { type RuleEdit, RulesSection } from '../documents/rulesSection.tsx';
import { GradualRolloutButton } from './gradualRollout.tsx';
import { choiceOf, type FlagEditProps, isComplete, RolloutFields, RolloutView, rolloutOf } from './rolloutFields.tsx';

/** A flag's rules. They are evaluated in order; the first match wins. */
export function FlagRules({ stored, flag, refusal, onChange }: FlagEditProps & { readonly stored: VersionedFlag }) {
  return (
    <RulesSection
      document={flag}
      about="Checked from top to bottom. The first match wins."
      hint="No rules yet: the default rule serves everyone."
      onChange={onChange}
      complete={(rule) => ({
        ...rule,
        dispatchKey: null,
        includedInExpt: false,
        variations: everybody(flag.variations[0]?.id ?? ''),
      })}
      form={(edit) => <FlagRuleForm flag={flag} {...edit} />}
      served={(rule) => <RolloutView flag={flag} rollout={rule} />}
      actions={({ id }) => {
        const rule = stored.document.rules.find((each) => each.id === id);
        return rule && <GradualRolloutButton flag={stored.document} rule={rule} refusal={refusal} />;
      }}
    />
  );
}

function FlagRuleForm({ flag, rule, onDone, onClose }: RuleEdit<TargetingRule> & { readonly flag: Flag }) {
  const [choice, setChoice] = useState(() => choiceOf(flag, rule));
  return (
    <RuleForm
      rule={rule}
      mayAskSegments
      onDone={(changed) => isComplete(flag, rule, choice) && onDone({ ...rolloutOf(flag, rule, choice), ...changed })}
      onClose={onClose}
    >
      <RolloutFields label="Then serve" flag={flag} choice={choice} onChange={setChoice} />
    </RuleForm>
  );
}
