import type { ReleasePlan, Step } from '../shared/plans/releasePlan.ts';

/** Maximum number of plans in one answer about a flag or segment. The newest is last. */
export const SHOWN_PLANS = 10;

/** The operations on a plan. */
export const PLAN_OPERATIONS = ['resume', 'skip', 'abort'] as const;
export type PlanOperation = (typeof PLAN_OPERATIONS)[number];

/** A plan with its steps in words. */
export interface ShownPlan
  extends Pick<ReleasePlan, 'id' | 'kind' | 'documentId' | 'by' | 'command' | 'createdAt' | 'state'> {
  readonly steps: readonly Omit<Step, 'fields'>[];
  /** Names of CloudWatch alarms, and `webhook`. */
  readonly guards: readonly string[];
}
