import type { JsonObject } from '../flags/reader.ts';
import {
  afterStep,
  afterUndo,
  type PlanState,
  type ReleasePlan,
  type SignedRequest,
  undoFields,
} from './releasePlan.ts';

/** Requests of its webhook that a plan remembers. Their signatures are valid for ten minutes at most. */
const REMEMBERED_REQUESTS = 32;

/** What the alarms that guard a plan say: go on, undo, or pause. */
export type GuardState =
  | { readonly kind: 'clear' }
  | { readonly kind: 'alarm'; readonly alarm: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** What undoes a plan: an alarm, or a request of its webhook. */
export type FiredGuard =
  | { readonly kind: 'alarm'; readonly name: string }
  | {
      readonly kind: 'webhook';
      readonly name: string;
      readonly request: SignedRequest;
    };

/** Reads the alarms that guard a plan. @throws if a later attempt may succeed */
export type ReadGuards = (plan: ReleasePlan) => Promise<GuardState>;

/** What a tick or a guard does with a plan and its flag or segment. */
export interface PlanUpdate {
  readonly by: string;
  readonly command: string;
  /** The fields of the document to set. Without them, only the plan changes. */
  readonly fields?: JsonObject;
  readonly after: (at: number) => ReleasePlan;
  /** The state if somebody has edited the document. */
  readonly whenEdited: (state: Paused) => Paused;
  /** The state if the document cannot have these fields. */
  readonly whenRefused: (at: number, reason: string) => Paused;
}

export type Paused = PlanState & { readonly kind: 'paused' };

/** What a tick does with the plan of a due step. @param position of the step */
export function updateByStep(plan: ReleasePlan, position: number, guards: GuardState | undefined): PlanUpdate {
  if (guards?.kind === 'alarm') return updateByGuard(plan, { kind: 'alarm', name: guards.alarm });
  const step = stepBy(plan, position);
  if (guards?.kind !== 'unknown') return step;
  const { fields: _fields, ...paused } = step;
  return { ...paused, after: (at) => ({ ...plan, state: { kind: 'paused', at, reason: guards.reason } }) };
}

/** The author of a step in the history. @param by who added the step */
export function stepAuthor({ id }: Pick<ReleasePlan, 'id'>, by: string): string {
  return `plan ${id} of ${by}`;
}

function stepBy(plan: ReleasePlan, position: number): PlanUpdate {
  const { steps } = plan;
  const step = steps[position];
  const { by, command } = step?.added ?? plan;
  return {
    by: stepAuthor(plan, by),
    command: `step ${position + 1} of ${steps.length}: ${command}`,
    // After a manual edit, the end of the watch has nothing to overwrite. A paused plan would stay open.
    ...(step?.isWatch ? {} : { fields: step?.fields ?? {} }),
    after: (at) => afterStep(plan, position, { kind: 'applied', at }),
    whenEdited: (state) => state,
    whenRefused: (at, reason) => ({ kind: 'paused', at, reason: `step ${position + 1} cannot be applied: ${reason}` }),
  };
}

/** What a guard that has fired does with a plan: it undoes the applied steps, and pauses the plan. */
export function updateByGuard(plan: ReleasePlan, guard: FiredGuard): PlanUpdate {
  const { name } = guard;
  const { id, by, command } = plan;
  const fields = undoFields(plan);
  const isChanged = Object.keys(fields).length > 0;
  const cause = guard.kind === 'webhook' ? 'has fired' : 'is in ALARM';
  const source = guard.kind === 'webhook' ? ({ isWebhook: true } as const) : {};
  const fired = (at: number, what: string): Paused => {
    return { kind: 'paused', at, reason: `guard "${name}" ${cause}; ${what}`, guard: name, ...source };
  };
  const done = isChanged ? 'the applied steps were undone' : 'there was no step to undo';
  return {
    by: `guard ${name} of ${id} of ${by}`,
    command: `undo of the applied steps: ${command}`,
    ...(isChanged ? { fields } : {}),
    after: (at) => ({ ...afterUndo(plan, at), state: fired(at, done) }),
    whenEdited: ({ at, reason }) => fired(at, `nothing was undone, because ${reason}`),
    whenRefused: (at, reason) => fired(at, `the applied steps cannot be undone: ${reason}`),
  };
}

/**
 * A plan that remembers a request of its webhook. Beyond the limit, it forgets the oldest: to fire twice is safer than to ignore a new request.
 *
 * @param now unix milliseconds
 * @returns undefined if the plan has no webhook, or remembers the request already
 */
export function withRequest(plan: ReleasePlan, request: SignedRequest, now: number): ReleasePlan | undefined {
  const used = plan.webhook?.used ?? [];
  if (!plan.webhook || used.some(({ id }) => id === request.id)) return undefined;
  const valid = used.filter(({ expiresAt }) => expiresAt > now);
  return { ...plan, webhook: { used: [...valid, request].slice(-REMEMBERED_REQUESTS) } };
}
