import { useState } from 'preact/hooks';
import type { Flag } from '../../../../shared/flags/flag.ts';
import { nameOfVariation } from '../../../../shared/flags/shares.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/field.tsx';
import { formatZoned } from '../../../ui/zoned.ts';
import { previewSteps, type StepField, type StepPreview } from '../../logic/plans.ts';
import { onlyVariation, shareFields } from '../../logic/shareFields.ts';
import { request } from '../api/request.ts';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { useGuards } from '../documents/guardFields.tsx';
import { notePlans } from '../state/plans.ts';
import { useEnvironment } from '../state/session.ts';

const FIRST_STEPS: readonly StepField[] = [
  { percent: '10', time: 'now' },
  { percent: '50', time: '+2h' },
  { percent: '100', time: '+1d' },
];

const ADD = 'add-step';

interface GradualRolloutProps {
  /** As it is saved. */
  readonly flag: Flag;
  readonly onClose: () => void;
}

/** Plans a gradual rollout of the saved default rule. */
export function GradualRolloutDialog({ flag, onClose }: GradualRolloutProps) {
  const environment = useEnvironment();
  const served = onlyVariation(flag.fallthrough);
  const [variationId, setVariation] = useState(() => flag.variations.find(({ id }) => id !== served)?.id ?? '');
  const [steps, setSteps] = useState(() => {
    const share = shareFields(flag, flag.fallthrough).find((field) => field.variationId === variationId);
    return FIRST_STEPS.filter(({ percent }) => Number(percent) > Number(share?.percent ?? 0));
  });
  const guards = useGuards();
  const previews = previewSteps(flag, variationId, steps, Date.now());
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
      title={`Gradual rollout of ${flag.key}`}
      action="Create plan"
      onClose={onClose}
      isInHistory
      isReady={previews.every((preview) => 'at' in preview) && guards.isValid}
      takeFailure={guards.takeFailure}
      act={async (signature) => {
        const typed = steps.map(({ percent, time }) => ({ share: Number(percent) / 100, at: time.trim() }));
        const body = { flag: flag.key, variationId, steps: typed, ...guards.guarding, ...signature };
        const { plans } = await request('POST environments/:env/rollouts', { env: environment.id, body });
        notePlans();
        return plans.length > 0 ? 'Plan created.' : 'The flag serves these shares already: nothing changed.';
      }}
    >
      <p>
        The share of the variation grows in steps. Its users keep it.
        {!flag.isEnabled && ' The flag is off: the shares apply once it is on.'}
      </p>
      <ChoiceField
        label="Variation"
        value={variationId}
        options={flag.variations.map(({ id }) => ({ value: id, text: nameOfVariation(flag, id) }))}
        onChange={setVariation}
      />
      <p class="hint">Times are now, +30m, +2h or +1d from now, or a time with its zone: 2030-01-31T09:00+01:00.</p>
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
              % at
              <input
                class="code"
                {...named('Time', position)}
                value={time}
                onInput={(event) => change(position, { time: event.currentTarget.value })}
              />
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
        onClick={() => setSteps([...steps, { percent: '100', time: '+2d' }])}
      />
      {guards.fields}
    </ConfirmDialog>
  );
}

function Preview({ id, preview }: { readonly id: string; readonly preview: StepPreview | undefined }) {
  if (!preview) return null;
  return (
    <p id={id} class={'problem' in preview ? 'problem' : 'hint'}>
      {'problem' in preview ? preview.problem : `${formatZoned(preview.at)}: ${preview.text}`}
    </p>
  );
}
