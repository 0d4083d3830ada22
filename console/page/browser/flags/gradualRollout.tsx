import { useState } from 'preact/hooks';
import type { Flag } from '../../../../shared/flags/flag.ts';
import type { TargetingRule } from '../../../../shared/flags/rule.ts';
import { nameOfVariation } from '../../../../shared/flags/shares.ts';
import { Button, DialogButton } from '../../../ui/button.tsx';
import { Choice, ChoiceField } from '../../../ui/field.tsx';
import { Time } from '../../../ui/time.tsx';
import { inOneHour, localTime, previewSteps, type StepField, type StepPreview, stepTime } from '../../logic/plans.ts';
import { onlyVariation, shareFields } from '../../logic/shareFields.ts';
import { request } from '../api/request.ts';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { useGuards } from '../documents/guardFields.tsx';
import { TimeInput } from '../documents/timeField.tsx';
import { notePlans } from '../state/plans.ts';
import { useEnvironment } from '../state/session.ts';
import type { FlagEditProps } from './rolloutFields.tsx';

const HOUR_MS = 3_600_000;
const FIRST_STEPS = [
  { percent: '10', afterMs: 0 },
  { percent: '50', afterMs: 2 * HOUR_MS },
  { percent: '100', afterMs: 24 * HOUR_MS },
];

const ADD = 'add-step';

interface GradualRolloutProps extends Pick<FlagEditProps, 'refusal'> {
  /** As it is saved. */
  readonly flag: Flag;
  /** One of its rules. Default: the default rule. */
  readonly rule?: TargetingRule | undefined;
}

/** A button that opens the dialog of a gradual rollout. */
export function GradualRolloutButton({ flag, rule, refusal }: GradualRolloutProps) {
  return (
    <DialogButton
      text="Gradual rollout …"
      label={rule && `Gradual rollout … of rule ${rule.name}`}
      kind="small"
      disabled={refusal !== undefined}
      title={refusal}
      dialog={(close) => <GradualRolloutDialog flag={flag} rule={rule} onClose={close} />}
    />
  );
}

/** Plans a gradual rollout of a saved rule. */
function GradualRolloutDialog({ flag, rule, onClose }: GradualRolloutProps & { readonly onClose: () => void }) {
  const environment = useEnvironment();
  const rollout = rule ?? flag.fallthrough;
  const served = onlyVariation(rollout);
  const [variationId, setVariation] = useState(() => flag.variations.find(({ id }) => id !== served)?.id ?? '');
  const [steps, setSteps] = useState(() => {
    const share = shareFields(flag, rollout).find((field) => field.variationId === variationId);
    const larger = FIRST_STEPS.filter(({ percent }) => Number(percent) > Number(share?.percent ?? 0));
    return larger.map(({ percent, afterMs }): StepField => {
      return { percent, time: afterMs === 0 ? 'now' : localTime(Date.now() + afterMs) };
    });
  });
  const guards = useGuards();
  const previews = previewSteps(flag, variationId, steps, Date.now(), rule?.id);
  const latest = previews.reduce((last, each) => ('at' in each ? Math.max(last, each.at) : last), Date.now());
  const remove = (position: number) => {
    setSteps(steps.filter((_, index) => index !== position));
    // The button that had the focus is gone.
    document.getElementById(ADD)?.focus();
  };
  const named = (what: string, position: number) => ({
    'aria-label': `${what} of step ${position + 1}`,
    'aria-describedby': `step-${position}`,
    'aria-invalid': 'problem' in (previews[position] ?? {}),
  });
  const change = (position: number, changed: Partial<StepField>) =>
    setSteps(steps.map((step, index) => (index === position ? { ...step, ...changed } : step)));
  return (
    <ConfirmDialog
      title={`Gradual rollout of ${rule ? `rule “${rule.name}”` : flag.key}`}
      action="Create plan"
      onClose={onClose}
      isInHistory
      isReady={previews.every((preview) => 'at' in preview) && guards.isValid}
      takeFailure={guards.takeFailure}
      act={async (signature) => {
        const typed = steps.map((step) => ({ share: Number(step.percent) / 100, at: stepTime(step) }));
        const which = { flag: flag.key, ...(rule ? { rule: rule.id } : {}), variationId };
        const body = { ...which, steps: typed, ...guards.guarding, ...signature };
        const { plans } = await request('POST environments/:env/rollouts', { env: environment.id, body });
        notePlans();
        return plans.length > 0 ? 'Plan created.' : 'The flag serves these shares already: nothing changed.';
      }}
    >
      <p>
        The share of the variation grows in steps{rule && ', among users who match the rule'}. Its users keep it.
        {!flag.isEnabled && ' The flag is off: the shares apply once it is on.'}
      </p>
      <ChoiceField
        label="Variation"
        value={variationId}
        options={flag.variations.map(({ id }) => ({ value: id, text: nameOfVariation(flag, id) }))}
        onChange={setVariation}
      />
      <ol class="timeline" aria-label="Steps">
        {steps.map(({ percent, time }, position) => (
          <li key={position}>
            <div class="step-fields">
              <input
                inputMode="decimal"
                {...named('Percentage', position)}
                value={percent}
                onInput={(event) => change(position, { percent: event.currentTarget.value })}
              />
              % {position > 0 && 'at'}
              {position === 0 && (
                <Choice
                  label="Start"
                  value={time === 'now' ? 'now' : 'at'}
                  options={['now', 'at']}
                  onChange={(start) => change(0, { time: start === 'now' ? start : inOneHour() })}
                />
              )}
              {time !== 'now' && (
                <TimeInput
                  {...named('Time', position)}
                  time={time}
                  onTime={(changed) => change(position, { time: changed })}
                />
              )}
              {steps.length > 1 && (
                <Button text="✕" kind="quiet" label={`Remove step ${position + 1}`} onClick={() => remove(position)} />
              )}
            </div>
            <Preview id={`step-${position}`} preview={previews[position]} />
          </li>
        ))}
      </ol>
      <Button
        text="Add step"
        id={ADD}
        kind="small"
        onClick={() => setSteps([...steps, { percent: '100', time: localTime(latest + 24 * HOUR_MS) }])}
      />
      {guards.fields}
    </ConfirmDialog>
  );
}

function Preview({ id, preview }: { readonly id: string; readonly preview: StepPreview | undefined }) {
  if (!preview) return null;
  return (
    <p id={id} class={'problem' in preview ? 'problem' : 'hint'}>
      {'problem' in preview ? (
        preview.problem
      ) : (
        <>
          <Time at={preview.at} isExact />: {preview.text}
        </>
      )}
    </p>
  );
}
