import { sharesText } from '../../../shared/describe/documentFacts.ts';
import { withGrownShare } from '../../../shared/flags/edits/growShare.ts';
import type { Flag } from '../../../shared/flags/flag.ts';
import { InvalidInput } from '../../../shared/flags/invalidInput.ts';
import { formatTimestamp, parseDuration, parsePlannedTime } from '../../../shared/flags/timestamp.ts';
import type { GuardChoice } from '../../../shared/plans/newPlan.ts';
import { isOpen, nextStep } from '../../../shared/plans/releasePlan.ts';
import type { ShownPlan } from '../../plans.ts';
import type { AttentionLine } from './attention.ts';
import { numberIn } from './shareFields.ts';

/** Plans that the server found, or why it could not be asked; undefined while it is asked. */
export type AskedPlans = { readonly plans: readonly ShownPlan[] } | { readonly failure: string } | undefined;

/** A step of a gradual rollout as it is typed. */
export interface StepField {
  /** Of the users of the rule. */
  readonly percent: string;
  /** `now`, or as {@link localTime} formats it. Empty while incomplete. */
  readonly time: string;
}

/** The effect of a step, or why it is refused. */
export type StepPreview =
  | { readonly share: number; readonly at: number; readonly text: string }
  | { readonly problem: string };

/** A time in the format of `datetime-local`, in the browser's time zone, without its seconds. @param ms unix milliseconds */
export function localTime(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The first proposal for a time that somebody picks. */
export function inOneHour(): string {
  return localTime(Date.now() + 3_600_000);
}

/** The time of a step as the server reads it. @throws {InvalidInput} if it is incomplete */
export function stepTime({ time }: StepField): string {
  if (time === 'now') return time;
  if (Number.isNaN(Date.parse(time))) throw new InvalidInput('Enter a date and a time.');
  return new Date(time).toISOString();
}

/**
 * The effects of the steps of a gradual rollout, if it is created now.
 *
 * @param ruleId the rule in which the share grows. Default: the default rule
 */
export function previewSteps(
  flag: Flag,
  variationId: string,
  fields: readonly StepField[],
  now: number,
  ruleId?: string,
): readonly StepPreview[] {
  let current = flag;
  const ruleOf = ({ rules }: Flag) => rules.find(({ id }) => id === ruleId);
  return fields.map((field): StepPreview => {
    const share = field.percent.trim() === '' ? Number.NaN : numberIn(field.percent) / 100;
    if (!(share <= 1)) return { problem: 'Enter a percentage from 0 to 100, with at most two decimals.' };
    try {
      const at = parsePlannedTime(stepTime(field), now);
      current = withGrownShare(current, variationId, share, ruleOf(current));
      return { share, at, text: sharesText(current, ruleOf(current) ?? current.fallthrough, true) };
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

/** Why the open one of these plans refuses another, and what a manual change does to it while it runs. */
export function openPlanTexts(asked: AskedPlans): { readonly refusal?: string; readonly pause?: string } {
  const plan = asked && 'plans' in asked && asked.plans.find(isOpen);
  if (!plan) return {};
  const pause = `This pauses the plan (next: step ${nextStep(plan) + 1} of ${plan.steps.length}).`;
  return { refusal: 'A plan is open. Abort it, or wait for its end.', ...(plan.state.kind === 'running' && { pause }) };
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
    return [{ kind: 'planned', text: `Plan of ${target}`, detail: `${formatTimestamp(step.at)}: ${step.text}`, at }];
  });
}
