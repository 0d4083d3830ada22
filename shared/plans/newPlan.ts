import { changesOf, changeText } from '../describe/documentChanges.ts';
import { byKind, type Document, documentName, formatName } from '../flags/document.ts';
import { withGrownShare } from '../flags/edits/growShare.ts';
import { findRule } from '../flags/edits/ruleEdits.ts';
import type { Flag } from '../flags/flag.ts';
import { InvalidInput } from '../flags/invalidInput.ts';
import { findVariation } from '../flags/shares.ts';
import { shortened } from '../flags/texts.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { changedFields, changedShares, presentFields, withFields } from './planContent.ts';
import { GUARD_LIMIT, type ReleasePlan, STEP_LIMIT, type Step } from './releasePlan.ts';

/** Maximum number of characters of a step in words. */
const TEXT_LIMIT = 300;

/** A plan to create. */
export interface NewPlan extends Pick<ReleasePlan, 'kind' | 'documentId' | 'type' | 'guards' | 'webhook'> {
  /** The steps in ascending order of time, in whole unix milliseconds. Each changes the document as the earlier steps leave it. */
  readonly steps: readonly { readonly at: number; readonly change: (document: Document) => Document }[];
  /** How long guards watch the last step, milliseconds. */
  readonly watchMs?: number | undefined;
  /** Add the steps to the open plan of the flag or segment, if it has one that is a list of changes. */
  readonly appends?: boolean;
}

/**
 * A plan that increases the share of a variation in a rule of a flag.
 *
 * @param variation as {@link findVariation} takes it
 * @param steps shares of the users of the rule in [0,1], with their times in unix milliseconds
 * @param rule as {@link findRule} takes it. Default: the default rule
 */
export function rolloutPlan(
  key: string,
  variation: string,
  steps: readonly { readonly at: number; readonly share: number }[],
  rule?: string,
): NewPlan {
  const grown = (flag: Flag, share: number) => {
    const found = rule === undefined ? undefined : findRule(flag.rules, rule, `flag "${key}"`);
    return withGrownShare(flag, findVariation(flag, variation).id, share, found);
  };
  const growing = steps.map(({ at, share }): NewPlan['steps'][number] => ({
    at,
    change: (each) => (each.kind === 'flag' ? { ...each, document: grown(each.document, share) } : each),
  }));
  return { kind: 'flag', documentId: key, type: 'rollout', steps: growing };
}

/** The guards of a new plan, as an operator names them. */
export interface GuardChoice {
  /** Names of CloudWatch alarms. */
  readonly guards?: readonly string[] | undefined;
  /** How long they watch the last step: `30m`, `2h` or `1d`. */
  readonly watch?: string | undefined;
}

/** A plan breaks a rule or a limit. */
export class PlanRefused extends InvalidInput {
  override name = 'PlanRefused';
}

/** An alarm cannot guard a plan, or the plan its guards. */
export class GuardRefused extends PlanRefused {
  override name = 'GuardRefused';
}

/** What the steps of a new plan are checked against. */
export interface PresentDocuments {
  /** The flag or segment of the plan. */
  readonly start: Document;
  /** The readable documents of its environment. */
  readonly all: readonly Document[];
  /** @throws with the reason why a step cannot be applied */
  readonly requireApplicable: (before: Document, after: Document) => void;
}

/**
 * The steps of a new plan, checked one after another on the present document, and the fields that they set as they are now.
 *
 * @param createdAt no step is earlier, unix milliseconds
 * @returns no steps if the plan changes nothing
 * @throws {PlanRefused} if the plan breaks a rule or a limit
 */
export function stepsOf(
  plan: NewPlan,
  createdAt: number,
  { start, all, requireApplicable }: PresentDocuments,
): Pick<ReleasePlan, 'steps' | 'before'> {
  const name = formatName({ kind: plan.kind, id: plan.documentId });
  requireStepCount(plan.steps.length);
  const names = new Map(byKind(all).segments.map((segment) => [segment.id, segment.name]));
  let current = start;
  let earlier = createdAt - 1;
  const steps = plan.steps.map(({ at, change }): Step => {
    requireWhole(at);
    if (at <= earlier) {
      throw new PlanRefused(
        earlier < createdAt
          ? `a step cannot be at ${formatTimestamp(at)}, before the creation of the plan`
          : `the steps must be in the order of their times, but ${formatTimestamp(at)} is after ${formatTimestamp(earlier)}`,
      );
    }
    earlier = at;
    const wanted = change(current);
    // Later steps of a rollout include the earlier ones, because a late tick skips these.
    const fields =
      plan.type === 'rollout' && start.kind === 'flag'
        ? changedShares(start.document, wanted.document as Flag)
        : changedFields(current.document, wanted.document);
    const next = withFields(current, fields);
    if (documentName(next) !== name) throw new PlanRefused(`${name} cannot become ${documentName(next)}`);
    requireApplicable(current, next);
    if (current === start && start.document.isArchived && next.document.isArchived) {
      throw new PlanRefused(`${name} is archived; restore it before you plan changes, or in the first step`);
    }
    const text = changesOf(current, next, (id) => names.get(id) ?? id)
      .map((each) => changeText(each, TEXT_LIMIT))
      .join('; ');
    current = next;
    return { at, text: shortened(text || 'no change', TEXT_LIMIT), fields, outcome: { kind: 'waiting' } };
  });
  const before = presentFields(start.document, Object.assign({}, ...steps.map(({ fields }) => fields)));
  if (Object.keys(before).length === 0) return { steps: [], before };
  const { guards = [], webhook, watchMs } = plan;
  if (guards.length > GUARD_LIMIT) {
    throw new GuardRefused(
      `a plan has at most ${GUARD_LIMIT} guards, but this one has ${guards.length}; use a composite alarm`,
    );
  }
  if (watchMs === undefined) return { steps, before };
  requireWhole(watchMs);
  if (guards.length === 0 && !webhook) {
    throw new GuardRefused('only a plan with guards or a webhook can watch its last step');
  }
  const end = { at: earlier + watchMs, text: 'end of the watch', fields: {}, outcome: { kind: 'waiting' } } as const;
  return { steps: [...steps, { ...end, isWatch: true }], before };
}

/** A tick finds no step whose time has a fraction. */
function requireWhole(ms: number): void {
  if (Number.isSafeInteger(ms)) return;
  throw new PlanRefused(`a time of a plan must be in whole milliseconds, but this one is ${ms}; round it`);
}

/** @throws {PlanRefused} */
export function requireStepCount(count: number): void {
  if (count > 0 && count <= STEP_LIMIT) return;
  throw new PlanRefused(`a plan has 1 to ${STEP_LIMIT} steps, but this one has ${count}`);
}
