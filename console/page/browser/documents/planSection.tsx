import { useState } from 'preact/hooks';
import { commandText } from '../../../../shared/describe/historyText.ts';
import { isOpen, nextStep } from '../../../../shared/plans/releasePlan.ts';
import type { PlanOperation, ShownPlan } from '../../../plans.ts';
import { Alert, Section } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { Time } from '../../../ui/time.tsx';
import type { AskedPlans } from '../../logic/plans.ts';
import { request } from '../api/request.ts';
import { find } from '../state/content.ts';
import { notePlans } from '../state/plans.ts';
import { may, plain, useEnvironment } from '../state/session.ts';
import { ConfirmDialog } from './confirmDialog.tsx';
import { plainly } from './plainly.tsx';

/** The open plan of a flag or segment with its steps, or the last one that ended. */
export function PlanSection({ asked }: { readonly asked: AskedPlans }) {
  if (asked && 'failure' in asked) return <Alert text={`Plans were not read: ${asked.failure}`} />;
  const plan = asked?.plans.at(-1);
  if (!plan) return null;
  if (isOpen(plan)) return <OpenPlan plan={plan} />;
  const { state } = plan;
  return (
    <details class="card">
      <summary>
        Last plan: {state.kind === 'aborted' ? `aborted by ${plain(state.by)}, ` : 'done '}
        {'at' in state && <Time at={state.at} />}
      </summary>
      <Timeline plan={plan} />
    </details>
  );
}

const OPERATIONS = {
  resume: {
    title: 'Resume the plan',
    done: 'Plan resumed.',
    about:
      'The plan continues with its next step. A step whose time has passed follows within minutes. A step replaces each field that it contains.',
  },
  skip: { title: 'Skip the next step', done: 'Step skipped.', about: 'This step is not applied. Later steps stay.' },
  abort: {
    title: 'Abort the plan',
    done: 'Plan aborted.',
    about: 'The plan ends. Applied steps stay. To revert them, undo them in the history.',
  },
} as const;

function OpenPlan({ plan }: { readonly plan: ShownPlan }) {
  const environment = useEnvironment();
  const [operation, setOperation] = useState<PlanOperation>();
  const { id, kind, documentId, state, steps, guards } = plan;
  const isArchived = find(kind, documentId)?.document.isArchived === true;
  const next = nextStep(plan);
  const step = steps[next];
  const asked = operation && OPERATIONS[operation];
  const button = (name: PlanOperation, text: string) => (
    <Button text={text} kind="small" onClick={() => setOperation(name)} />
  );
  const actions = may('editor', environment.id) && (
    <span class="buttons">
      {state.kind === 'paused' && !isArchived && button('resume', 'Resume')}
      {button('skip', 'Skip next step')}
      {button('abort', 'Abort')}
    </span>
  );
  const operate = async (confirm: { readonly confirm?: string }) => {
    const body = { operation: operation as PlanOperation, ...confirm };
    const { plans } = await request('POST environments/:env/plans/:plan', { env: environment.id, plan: id, body });
    notePlans();
    return plans.length > 0 ? (asked?.done ?? '') : 'The plan is not paused: nothing changed.';
  };
  return (
    <Section title={`Plan: ${state.kind}`} actions={actions}>
      {state.kind === 'paused' ? (
        <p class="notice warning">
          Paused: {plainly(state.reason)}.{' '}
          {state.guard !== undefined && !state.isWebhook && 'Wait until the alarm is OK. '}
          {isArchived
            ? `The ${kind} is archived: restore it to resume the plan, or abort the plan.`
            : 'Resume the plan to continue with its next step, skip the step, or abort the plan.'}
          {steps.some(({ outcome }) => outcome.kind === 'undone') && ' Undone steps are not repeated.'}
        </p>
      ) : (
        <p class="hint">A manual change of this {kind} pauses the plan.</p>
      )}
      {guards.length > 0 && <p>Guards: {guards.join(', ')}</p>}
      {step && (
        <p>
          {step.isWatch && state.kind === 'running' ? 'Watching until ' : `Next: step ${next + 1} of ${steps.length}, `}
          <Time at={step.at} isExact />
        </p>
      )}
      <Timeline plan={plan} />
      {asked && (
        <ConfirmDialog title={asked.title} action={asked.title} onClose={() => setOperation(undefined)} act={operate}>
          <p>{asked.about}</p>
          {step && operation !== 'abort' && (
            <p>
              Next step, <Time at={step.at} isExact />: {step.text}
            </p>
          )}
        </ConfirmDialog>
      )}
    </Section>
  );
}

function Timeline({ plan }: { readonly plan: ShownPlan }) {
  const { by, createdAt, command, steps } = plan;
  const next = isOpen(plan) ? nextStep(plan) : -1;
  const made = commandText(command);
  return (
    <>
      <ol class="timeline" aria-label="Steps of the plan">
        {steps.map(({ at, text, outcome }, position) => (
          <li key={position} data-outcome={outcome.kind} aria-current={position === next ? 'step' : undefined}>
            <b>
              <Time at={at} isExact />
            </b>{' '}
            <span class="hint">
              {outcome.kind} {outcome.kind === 'skipped' && outcome.by && `by ${plain(outcome.by)}, `}
              {outcome.kind !== 'waiting' && <Time at={outcome.at} isExact />}
            </span>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      <p class="hint">
        Created by {plainly(by)}, <Time at={createdAt} />
        {made.startsWith('console') ? ' in the ' : ': '}
        {plainly(made)}
      </p>
    </>
  );
}
