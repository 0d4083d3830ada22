import type { ReleasePlan, Step } from '../shared/store/releasePlan.ts';

/** Maximum number of plans in one answer about a flag or segment. The newest is last. */
export const SHOWN_PLANS = 10;

/** The operations on a plan. */
export const PLAN_OPERATIONS = ['resume', 'skip', 'abort'] as const;

/** The flag or segment whose plans are asked for. Without it, all open plans of the environment. */
export interface PlanQuery {
  readonly kind?: ReleasePlan['kind'];
  readonly id?: string;
}

/** A plan with its steps in words. */
export type ShownPlan = Omit<ReleasePlan, 'envId' | 'content' | 'revision' | 'steps'> & {
  readonly steps: readonly Omit<Step, 'fields'>[];
};
