import { sharesText } from '../../../shared/describe/documentFacts.ts';
import { withGrownShare } from '../../../shared/flags/edits/growShare.ts';
import type { Flag } from '../../../shared/flags/flag.ts';
import { InvalidInput } from '../../../shared/flags/invalidInput.ts';
import { parseDuration, parsePlannedTime } from '../../../shared/flags/timestamp.ts';
import type { GuardChoice } from '../../../shared/plans/newPlan.ts';
import { nextStep } from '../../../shared/plans/releasePlan.ts';
import type { ShownPlan } from '../../plans.ts';
import { formatZoned } from '../../ui/zoned.ts';
import type { AttentionLine } from './attention.ts';
import { numberIn } from './shareFields.ts';

/** Plans that the server found, or why it could not be asked; undefined while it is asked. */
export type AskedPlans = { readonly plans: readonly ShownPlan[] } | { readonly failure: string } | undefined;

/** A step of a gradual rollout as it is typed. */
export interface StepField {
  /** Of all users. */
  readonly percent: string;
  /** As `parsePlannedTime` reads it. */
  readonly time: string;
}

/** The effect of a step, or why it is refused. */
export type StepPreview =
  | { readonly share: number; readonly at: number; readonly text: string }
  | { readonly problem: string };

/** The effects of the steps of a gradual rollout, if it is created now. */
export function previewSteps(
  flag: Flag,
  variationId: string,
  fields: readonly StepField[],
  now: number,
): readonly StepPreview[] {
  let current = flag;
  return fields.map(({ percent, time }): StepPreview => {
    const share = percent.trim() === '' ? Number.NaN : numberIn(percent) / 100;
    if (!(share <= 1)) return { problem: 'Enter a percentage from 0 to 100, with at most two decimals.' };
    try {
      const at = parsePlannedTime(time.trim(), now);
      current = withGrownShare(current, variationId, share);
      return { share, at, text: sharesText(current, current.fallthrough, true) };
    } catch (error) {
      if (error instanceof InvalidInput) return { problem: error.message };
      throw error;
    }
  });
}

/**
 * The guards of a new plan as they are typed.
 *
 * @param alarms a name on each line
 * @param watch how long guards watch the last step. Empty: not at all
 */
export function readGuards(
  alarms: string,
  watch: string,
): { readonly guarding: GuardChoice; readonly problem?: string } {
  const guards = alarms.split('\n').flatMap((line) => line.trim() || []);
  if (guards.length === 0) return { guarding: {} };
  const duration = watch.trim();
  if (duration === '') return { guarding: { guards } };
  try {
    parseDuration(duration);
    return { guarding: { guards, watch: duration } };
  } catch (error) {
    if (error instanceof InvalidInput) return { guarding: { guards }, problem: error.message };
    throw error;
  }
}

/** Paused plans, the next changes of running plans, and why plans could not be checked. */
export function planLines(asked: AskedPlans, segmentName: (id: string) => string): AttentionLine[] {
  if (!asked) return [];
  if ('failure' in asked) return [{ kind: 'unread', text: `Plans were not checked: ${asked.failure}` }];
  return asked.plans.flatMap((plan): AttentionLine[] => {
    const { kind, documentId: id, state } = plan;
    const target = kind === 'flag' ? `flag ${id}` : `segment ${segmentName(id)}`;
    const at = { view: kind === 'flag' ? 'flags' : 'segments', id } as const;
    if (state.kind === 'paused') {
      const detail = `${state.reason}. Resume the plan, skip its next step, or abort it.`;
      return [{ kind: 'problem', text: `The plan of ${target} is paused`, detail, at, since: state.at }];
    }
    const step = plan.steps[nextStep(plan)];
    if (!step) return [];
    return [{ kind: 'planned', text: `Plan of ${target}`, detail: `${formatZoned(step.at)}: ${step.text}`, at }];
  });
}
