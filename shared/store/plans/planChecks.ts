import { referencedSegments } from '../../evaluation/flag.ts';
import { isSame } from '../../flags/content.ts';
import { type Document, documentName, documentTitle, formatName } from '../../flags/document.ts';
import { parseDocument } from '../../flags/parseDocument.ts';
import { formatProblem } from '../../flags/problem.ts';
import { formatTimestamp } from '../../flags/timestamp.ts';
import { type NewPlan, type PresentDocuments, requireStepCount, stepsOf } from '../../plans/newPlan.ts';
import { withWaitingSteps } from '../../plans/planContent.ts';
import type { ReleasePlan, Step } from '../../plans/releasePlan.ts';
import { contentOf, encodeDocument, type StoredDocument } from '../documents/item.ts';
import { requireWritable } from '../documents/writable.ts';
import { validated } from '../documents/write.ts';
import { requireConsistent } from '../history/history.ts';
import { Conflict, InvalidDocument } from '../table/errors.ts';
import { planText } from './planItem.ts';

/** Maximum number of open plans of an environment. */
export const OPEN_PLANS_LIMIT = 500;
/** Maximum number of plans that are created together. A transaction has 100 writes, and each plan takes two. */
const CREATED_LIMIT = 49;
/** Maximum size of the plans that are created together, in bytes. An item has at most 400 KB. */
const PLAN_LIMIT_BYTES = 256 * 1024;
/**
 * An open plan with the steps of another after its own. Its guards stay, and watch the new last step.
 *
 * @param createdAt as in {@link stepsOf}
 * @param added who adds the steps, and how
 * @returns undefined if the steps change nothing
 */
export function appended(
  plan: ReleasePlan,
  wanted: NewPlan,
  createdAt: number,
  present: PresentDocuments,
  added: NonNullable<Step['added']>,
): ReleasePlan | undefined {
  const { guards = [] } = plan;
  const name = documentTitle(present.start);
  const other = 'or abort the plan';
  const own = plan.steps.filter(({ isWatch }) => !isWatch);
  const [first] = wanted.steps;
  const last = own.findLast(({ outcome }) => outcome.kind === 'waiting');
  if (plan.state.kind === 'paused') throw new Conflict(`the plan of ${name} is paused; resume it first, ${other}`);
  if (first && last && first.at <= last.at) {
    throw new Conflict(
      `the plan of ${name} has a step at ${formatTimestamp(last.at)}, and a new step must be later; choose a later time, ${other}`,
    );
  }
  const watchMs = watchOf(plan);
  const isOther = (given: NewPlan['guards'] = []) =>
    given.length > 0 && given.toSorted().join() !== guards.toSorted().join();
  if (isOther(wanted.guards) || (wanted.watchMs ?? watchMs) !== watchMs) {
    throw new Conflict(`the plan of ${name} keeps its guards and its watch; omit --guard and --watch, ${other}`);
  }
  const later = { ...present, start: withWaitingSteps(present.start, plan) };
  const { steps, before } = stepsOf({ ...wanted, guards, watchMs }, createdAt, later);
  if (steps.length === 0) return undefined;
  const together = [...own, ...steps.map((step): Step => (step.isWatch ? step : { ...step, added }))];
  requireStepCount(together.filter(({ isWatch }) => !isWatch).length);
  return { ...plan, steps: together, before: { ...before, ...plan.before } };
}

/** How long the guards of a plan watch its last step, milliseconds. */
function watchOf({ steps }: ReleasePlan): number | undefined {
  const [last, watch] = steps.slice(-2);
  if (!last || !watch?.isWatch) return undefined;
  // A late step has moved the end of the watch.
  return watch.at - (last.outcome.kind === 'applied' ? Math.max(last.at, last.outcome.at) : last.at);
}

/**
 * Checks a step on the present documents of the environment. Problems that the document has already are no obstacle.
 *
 * @throws {StoreError} with the reason why the step cannot be applied
 */
export function requireApplicable(before: Document, after: Document, stored: readonly StoredDocument[]): void {
  const name = documentName(after);
  if (before.document.isDeleted) throw new Conflict(`${name} is deleted; undo the deletion first`);
  const known = new Set(problemsIn(before).map(({ message }) => message));
  const added = problemsIn(after).filter(({ message }) => !known.has(message));
  if (added.length > 0) throw new InvalidDocument(`${name} would not be valid: ${added.map(formatProblem).join('; ')}`);
  const next = validated(after);
  if (isSame(before.document, next.document)) return;
  requireWritable(next, before.document);
  encodeDocument(next, { envId: '', updatedAt: 0, previous: 0, writtenAt: 0, targetedAt: 0 });
  const present = new Map(stored.map((each) => [formatName(each), each]));
  if (next.kind === 'segment') {
    requireConsistent(present, new Map([[name, next]]));
    return;
  }
  const used = before.kind === 'flag' ? referencedSegments(before.document) : new Set<string>();
  for (const id of referencedSegments(next.document)) {
    const segment = contentOf(present.get(formatName({ kind: 'segment', id })));
    if (used.has(id) || (segment && !segment.isArchived)) continue;
    throw new Conflict(
      `${name} would refer to segment "${segment?.name ?? id}", which ${segment ? 'is archived' : 'does not exist'}`,
    );
  }
}

function problemsIn({ kind, document }: Document) {
  return parseDocument(kind, document).problems;
}

/** @param open number of other open plans of the environment @throws {Conflict} if plans exceed a limit together */
export function requireRoom(plans: readonly ReleasePlan[], open: number): void {
  const bytes = plans.reduce((sum, plan) => sum + Buffer.byteLength(planText(plan)), 0);
  const limits: readonly [number, number, string][] = [
    [plans.length, CREATED_LIMIT, 'plans at once; name fewer flags'],
    [open + plans.length, OPEN_PLANS_LIMIT, 'open plans in the environment; wait for the end of some, or abort them'],
    [bytes, PLAN_LIMIT_BYTES, 'bytes of plans; plan fewer steps, or move users to segments'],
  ];
  for (const [count, limit, what] of limits) {
    if (count > limit) throw new Conflict(`${count} is more than the limit of ${limit} ${what}`);
  }
}
