/** Maximum number of plans in one answer about a flag or segment. The newest is last. */
export const SHOWN_PLANS = 10;

/** The operations on a plan. */
export const PLAN_OPERATIONS = ['resume', 'skip', 'abort'] as const;
export type PlanOperation = (typeof PLAN_OPERATIONS)[number];

/** The flag or segment whose plans are asked for. Without it, all open plans of the environment. */
export interface PlanQuery {
  readonly kind?: 'flag' | 'segment';
  readonly id?: string;
}

/** Guards of a new plan: CloudWatch alarms, and how long they watch the last step, such as `2h`. */
export interface PlanGuards {
  readonly guards?: readonly string[] | undefined;
  readonly watch?: string | undefined;
}

/** A plan with its steps in words. Times are unix milliseconds. */
export interface ShownPlan {
  readonly id: string;
  readonly kind: 'flag' | 'segment';
  /** The flag's key or the segment's id. */
  readonly documentId: string;
  readonly by: string;
  readonly command: string;
  readonly createdAt: number;
  readonly steps: readonly ShownStep[];
  /** Names of CloudWatch alarms, and `webhook`. */
  readonly guards: readonly string[];
  readonly state:
    | { readonly kind: 'running' }
    /** `guard`: the alarm or the webhook that paused it. */
    | {
        readonly kind: 'paused';
        readonly at: number;
        readonly reason: string;
        readonly guard?: string;
        readonly isWebhook?: true;
      }
    | { readonly kind: 'done'; readonly at: number }
    | { readonly kind: 'aborted'; readonly at: number; readonly by: string };
}

interface ShownStep {
  readonly at: number;
  readonly text: string;
  readonly outcome: StepOutcome;
  /** It ends the time for which guards watch the last step. */
  readonly isWatch?: true;
}

type StepOutcome =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'applied' | 'undone'; readonly at: number }
  | { readonly kind: 'skipped'; readonly at: number; readonly by?: string };
