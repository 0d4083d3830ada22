import { useState } from 'preact/hooks';
import { nameOfVariation } from '../../../../shared/flags/shares.ts';
import type { VersionedFlag } from '../../../api.ts';
import { Section } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/field.tsx';
import { useOpened } from '../../../ui/opened.ts';
import { InlineForm } from '../documents/inlineForm.tsx';
import { GradualRolloutButton } from './gradualRollout.tsx';
import { choiceOf, type FlagEditProps, isComplete, RolloutFields, RolloutView, rolloutOf } from './rolloutFields.tsx';

const EDIT = 'edit-fallthrough';

/** The variation for users who match no rule. */
export function FallthroughSection({ flag, onChange, ...saved }: FlagEditProps & { readonly stored: VersionedFlag }) {
  const { opened, open, close } = useOpened(() => EDIT);
  const edit = !flag.isArchived && opened === undefined && (
    <Button text="Edit" id={EDIT} kind="small" label="Edit the default rule" onClick={() => open(EDIT)} />
  );
  return (
    <Section
      title="Default rule"
      about="For users that match no rule."
      actions={
        <span class="buttons">
          {!flag.isArchived && <GradualRolloutButton flag={saved.stored.document} refusal={saved.refusal} />}
          {edit}
        </span>
      }
    >
      {opened ? (
        <FallthroughForm flag={flag} onChange={onChange} onClose={close} />
      ) : (
        <RolloutView flag={flag} rollout={flag.fallthrough} />
      )}
    </Section>
  );
}

/** The variation for everybody while the flag is off. */
export function OffSection({ flag, onChange }: FlagEditProps) {
  return (
    <Section title="Off" about="While the flag is off, everybody gets this variation, regardless of targets and rules.">
      <ChoiceField
        label="When off, serve"
        value={flag.disabledVariationId}
        disabled={flag.isArchived}
        options={flag.variations.map(({ id }) => ({ value: id, text: nameOfVariation(flag, id) }))}
        onChange={(disabledVariationId) => onChange({ ...flag, disabledVariationId })}
      />
    </Section>
  );
}

function FallthroughForm({ flag, onChange, onClose }: FlagEditProps & { readonly onClose: () => void }) {
  const [choice, setChoice] = useState(() => choiceOf(flag, flag.fallthrough));
  return (
    <InlineForm
      onDone={() =>
        isComplete(flag, flag.fallthrough, choice) &&
        onChange({ ...flag, fallthrough: rolloutOf(flag, flag.fallthrough, choice) })
      }
      onClose={onClose}
    >
      <RolloutFields label="Serve" flag={flag} choice={choice} onChange={setChoice} />
    </InlineForm>
  );
}
