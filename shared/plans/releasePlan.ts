import type { Document } from '../flags/document.ts';
import type { JsonObject } from '../flags/reader.ts';

/** Maximum number of steps of a plan. */
export const STEP_LIMIT = 50;

/** Maximum number of alarms that guard a plan by its list. */
export const GUARD_LIMIT = 5;

/** Planned changes of one flag or segment. */
export interface ReleasePlan {
  readonly id: string;
  readonly envId: string;
  readonly kind: Document['kind'];
  /** The flag's key or the segment's id. */
  readonly documentId: string;
  /** In a rollout, each step replaces the one before it. So a late tick applies only the newest. */
  readonly type: 'rollout' | 'changes';
  /** Who created it. */
  readonly by: string;
  readonly command: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** In ascending order of time. */
  readonly steps: readonly Step[];
  /** Names of CloudWatch alarms that undo the steps. */
  readonly guards?: readonly string[];
  /** Present if requests of its webhook undo the steps. */
  readonly webhook?: {
    /** The newest requests that fired. They have no effect again. */
    readonly used?: readonly SignedRequest[];
  };
  /** The fields that steps set, as they were before the plan. */
  readonly before: JsonObject;
  readonly state: PlanState;
  /** Hash of the document's content at the creation, or after the last step. */
  readonly content: string;
  /** The document's `updatedAt` when the plan was created or resumed. Earlier plans lack it. */
  readonly seenAt?: string;
  /** Counts the changes of the plan. */
  readonly revision: number;
}

/** A request of a webhook. */
export interface SignedRequest {
  /** Identifies its signature. */
  readonly id: string;
  /** From when on its signature is too old, unix milliseconds. */
  readonly expiresAt: number;
}

/** Fields of a document that change at a time. */
export interface Step {
  /** Unix milliseconds. */
  readonly at: number;
  /** The change in words. */
  readonly text: string;
  /** The top-level fields that it sets. */
  readonly fields: JsonObject;
  readonly outcome: StepOutcome;
  /** Who added it to the plan, and how. Absent if the plan was created with it. */
  readonly added?: Pick<ReleasePlan, 'by' | 'command'>;
  /** It ends the time for which guards watch the last step, and changes nothing. */
  readonly isWatch?: true;
}

/** `by` is absent if a later step of a rollout was due too. */
export type StepOutcome =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'applied'; readonly at: number }
  | { readonly kind: 'undone'; readonly at: number }
  | { readonly kind: 'skipped'; readonly at: number; readonly by?: string };

export type PlanState =
  | { readonly kind: 'running' }
  | {
      readonly kind: 'paused';
      readonly at: number;
      readonly reason: string;
      /** The alarm or the webhook that paused it. */
      readonly guard?: string;
      /** Whether `guard` is a webhook. */
      readonly isWebhook?: true;
    }
  | { readonly kind: 'done'; readonly at: number }
  | { readonly kind: 'aborted'; readonly at: number; readonly by: string };

/** Whether steps may still be applied. */
export function isOpen({ state }: Pick<ReleasePlan, 'state'>): boolean {
  return state.kind === 'running' || state.kind === 'paused';
}

/** The position of the next step. -1 if there is none. */
export function nextStep({ steps }: { readonly steps: readonly Pick<Step, 'outcome'>[] }): number {
  return steps.findIndex(({ outcome }) => outcome.kind === 'waiting');
}

/** The position of the step to apply now. -1 if there is none. */
export function dueStep(plan: ReleasePlan, now: number): number {
  if (plan.state.kind !== 'running') return -1;
  const next = nextStep(plan);
  const isDue = (step: Step | undefined) => step !== undefined && step.at <= now;
  if (!isDue(plan.steps[next])) return -1;
  if (plan.type !== 'rollout') return next;
  return Math.max(
    next,
    plan.steps.findLastIndex((step) => isDue(step) && !step.isWatch),
  );
}

/** The plan after a step. Waiting steps before it are skipped. The plan is done after its last step. */
export function afterStep(plan: ReleasePlan, position: number, outcome: StepOutcome & { at: number }): ReleasePlan {
  const late = outcome.kind === 'applied' ? Math.max(0, outcome.at - (plan.steps[position]?.at ?? outcome.at)) : 0;
  const steps = plan.steps.map((step, index): Step => {
    if (index === position + 1 && step.isWatch) return { ...step, at: step.at + late };
    if (index > position || step.outcome.kind !== 'waiting') return step;
    return { ...step, outcome: index === position ? outcome : { kind: 'skipped', at: outcome.at } };
  });
  return { ...plan, steps, ...(nextStep({ steps }) < 0 ? { state: { kind: 'done', at: outcome.at } } : {}) };
}

/** The fields of the steps that are applied, as they were before the plan. */
export function undoFields({ steps, before }: ReleasePlan): JsonObject {
  const applied = steps.filter(({ outcome }) => outcome.kind === 'applied');
  const names = new Set(applied.flatMap(({ fields }) => Object.keys(fields)));
  return Object.fromEntries(Object.entries(before).filter(([name]) => names.has(name)));
}

/** A plan whose applied steps a guard has undone. */
export function afterUndo(plan: ReleasePlan, at: number): ReleasePlan {
  const steps = plan.steps.map((step): Step => {
    return step.outcome.kind === 'applied' ? { ...step, outcome: { kind: 'undone', at } } : step;
  });
  return { ...plan, steps };
}
