import { changesOf } from '../../evaluation/documentChanges.ts';
import { referencedSegments } from '../../evaluation/flag.ts';
import { contentText, isSame } from '../../flags/content.ts';
import { byKind, type Document, documentName, formatName } from '../../flags/document.ts';
import { parseFlag } from '../../flags/flag.ts';
import { withGrownShare } from '../../flags/growShare.ts';
import { formatProblem } from '../../flags/problem.ts';
import { parseSegment } from '../../flags/segment.ts';
import { formatTimestamp } from '../../flags/timestamp.ts';
import { contentOf, encodeDocument, type StoredDocument } from '../documents/item.ts';
import { requireWritable } from '../documents/writable.ts';
import { validated } from '../documents/write.ts';
import { requireConsistent } from '../history/history.ts';
import { Conflict, GuardRefused, InvalidDocument, NotFound } from '../table/errors.ts';
import {
  changedFields,
  GUARD_LIMIT,
  type ReleasePlan,
  STEP_LIMIT,
  type Step,
  withFields,
  withWaitingSteps,
} from './releasePlan.ts';

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
 * A plan that increases the share of a variation in the default rule of a flag.
 *
 * @param steps shares of all users in [0,1], with their times in unix milliseconds
 */
export function rolloutPlan(
  key: string,
  variationId: string,
  steps: readonly { readonly at: number; readonly share: number }[],
): NewPlan {
  const growing = steps.map(({ at, share }): NewPlan['steps'][number] => ({
    at,
    change: (each) =>
      each.kind === 'flag' ? { ...each, document: withGrownShare(each.document, variationId, share) } : each,
  }));
  return { kind: 'flag', documentId: key, type: 'rollout', steps: growing };
}

/** The documents of an environment as stored, and the readable ones. */
interface PresentDocuments {
  readonly stored: readonly StoredDocument[];
  readonly all: readonly Document[];
}

/**
 * The steps of a new plan, checked one after another on the present document, and the fields that they set as they are now.
 *
 * @param createdAt no step is earlier, unix milliseconds
 * @returns no steps if the plan changes nothing
 */
export function stepsOf(
  plan: NewPlan,
  createdAt: number,
  { stored, all }: PresentDocuments,
): Pick<ReleasePlan, 'steps' | 'before'> {
  const name = formatName({ kind: plan.kind, id: plan.documentId });
  requireStepCount(plan.steps.length);
  const start = all.find((each) => documentName(each) === name);
  if (!start) throw new NotFound(`there is no ${name}; a plan changes one that exists`);
  const names = new Map(byKind(all).segments.map((segment) => [segment.id, segment.name]));
  let current = start;
  let earlier = createdAt - 1;
  const steps = plan.steps.map(({ at, change }): Step => {
    requireWhole(at);
    if (at <= earlier) {
      throw new Conflict(
        earlier < createdAt
          ? `a step cannot be at ${formatTimestamp(at)}, before the creation of the plan`
          : `the steps must be in the order of their times, but ${formatTimestamp(at)} is after ${formatTimestamp(earlier)}`,
      );
    }
    earlier = at;
    const wanted = change(current);
    // Later steps of a rollout include the earlier ones, because a late tick skips these.
    const fields = changedFields((plan.type === 'rollout' ? start : current).document, wanted.document);
    const next = withFields(current, fields);
    if (documentName(next) !== name) throw new Conflict(`${name} cannot become ${documentName(next)}`);
    requireApplicable(current, next, stored);
    if (current === start && start.document.isArchived && next.document.isArchived) {
      throw new Conflict(`${name} is archived; restore it before you plan changes, or in the first step`);
    }
    const text = changesOf(current, next, (id) => names.get(id) ?? id)
      .map(({ label, before, after }) => `${label}: ${before || 'none'} → ${after || 'none'}`)
      .join('; ');
    current = next;
    return { at, text: shortened(text || 'no change'), fields, outcome: { kind: 'waiting' } };
  });
  const before = valuesBefore(start.document, steps);
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
  { stored, all }: PresentDocuments,
  added: NonNullable<Step['added']>,
): ReleasePlan | undefined {
  const { id, guards = [] } = plan;
  const name = formatName({ kind: plan.kind, id: plan.documentId });
  const other = `or abort the plan: plan abort ${id}`;
  const own = plan.steps.filter(({ isWatch }) => !isWatch);
  const [first] = wanted.steps;
  const last = own.findLast(({ outcome }) => outcome.kind === 'waiting');
  if (plan.state.kind === 'paused') throw new Conflict(`plan ${id} of ${name} is paused; resume it first, ${other}`);
  if (first && last && first.at <= last.at) {
    throw new Conflict(
      `plan ${id} changes ${name} at ${formatTimestamp(last.at)}, and a new step must be later; choose a later time, ${other}`,
    );
  }
  const watchMs = watchOf(plan);
  const isOther = (given: NewPlan['guards'] = []) =>
    given.length > 0 && given.toSorted().join() !== guards.toSorted().join();
  if (isOther(wanted.guards) || (wanted.watchMs ?? watchMs) !== watchMs) {
    throw new Conflict(`plan ${id} of ${name} keeps its guards and its watch; omit --guard and --watch, ${other}`);
  }
  const later = all.map((each) => (documentName(each) === name ? withWaitingSteps(each, plan) : each));
  const { steps, before } = stepsOf({ ...wanted, guards, watchMs }, createdAt, { stored, all: later });
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

/** A tick finds no step whose time has a fraction. */
function requireWhole(ms: number): void {
  if (Number.isSafeInteger(ms)) return;
  throw new Conflict(`a time of a plan must be in whole milliseconds, but this one is ${ms}; round it`);
}

function requireStepCount(count: number): void {
  if (count > 0 && count <= STEP_LIMIT) return;
  throw new Conflict(`a plan has 1 to ${STEP_LIMIT} steps, but this one has ${count}`);
}

function valuesBefore(start: Document['document'], steps: readonly Step[]): ReleasePlan['before'] {
  const present: ReleasePlan['before'] = JSON.parse(contentText(start));
  const names = new Set(steps.flatMap(({ fields }) => Object.keys(fields)));
  return Object.fromEntries([...names].map((name) => [name, present[name] ?? null]));
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

/** A document for planning. @returns undefined if it is unreadable */
export function readable(stored: StoredDocument): Document | undefined {
  const document = contentOf(stored);
  return document && ({ kind: stored.kind, document } as Document);
}

function problemsIn({ kind, document }: Document) {
  return (kind === 'flag' ? parseFlag(document) : parseSegment(document)).problems;
}

/** A text of a plan, with `…` in place of what exceeds a number of characters. */
export function shortened(text: string, limit = TEXT_LIMIT): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
