import { createHash } from 'node:crypto';
import { contentText } from '../flags/content.ts';
import type { Document } from '../flags/document.ts';
import type { JsonObject } from '../flags/reader.ts';
import { nextStep, type ReleasePlan } from './releasePlan.ts';

/**
 * A plan that continues with a document. A guard does not undo what others have changed in it. A late rollout continues with its next step, and
 * the later ones keep their distance from it, because a tick applies only the newest due step.
 *
 * @param now unix milliseconds
 */
export function continued(plan: ReleasePlan, document: Document['document'], now: number): ReleasePlan {
  const content = hashContent(document);
  const next = nextStep(plan);
  const late = plan.type === 'rollout' ? Math.max(0, now - (plan.steps[next]?.at ?? now)) : 0;
  const steps = plan.steps.map((step, index) => (index < next ? step : { ...step, at: step.at + late }));
  const running = { ...plan, steps, state: { kind: 'running' }, content } as const;
  if (content === plan.content) return running;
  const present: JsonObject = JSON.parse(contentText(document));
  const applied = plan.steps.filter(({ outcome }) => outcome.kind === 'applied');
  const expected = Object.assign({ ...plan.before }, ...applied.map(({ fields }) => fields));
  const before = Object.entries(plan.before).map(([name, value]) => {
    const isSame = JSON.stringify(present[name] ?? null) === JSON.stringify(expected[name]);
    return [name, isSame ? value : (present[name] ?? null)];
  });
  return { ...running, before: Object.fromEntries(before) };
}

/** The top-level fields in which two states of a document differ, without its version. A missing field becomes null. */
export function changedFields(before: Document['document'], after: Document['document']): JsonObject {
  const [was, is] = [before, after].map((document): JsonObject => JSON.parse(contentText(document))) as [
    JsonObject,
    JsonObject,
  ];
  const isChanged = (name: string) => JSON.stringify(was[name]) !== JSON.stringify(is[name]);
  const names = Object.keys({ ...was, ...is }).filter(isChanged);
  return Object.fromEntries(names.map((name) => [name, is[name] ?? null]));
}

/** A document with other fields. */
export function withFields({ kind, document }: Document, fields: JsonObject): Document {
  return { kind, document: { ...document, ...fields } } as unknown as Document;
}

/** A document as the waiting steps of a plan leave it. @param at the last time of a step, unix milliseconds */
export function withWaitingSteps(
  document: Document,
  { steps }: Pick<ReleasePlan, 'steps'>,
  at = Number.POSITIVE_INFINITY,
): Document {
  const due = steps.filter((step) => step.outcome.kind === 'waiting' && step.at <= at);
  return withFields(document, Object.assign({}, ...due.map(({ fields }) => fields)));
}

/** Identifies the content of a document, whatever its version. */
export function hashContent(document: Document['document']): string {
  return createHash('sha256').update(contentText(document)).digest('base64url');
}

/** Whether a document is as it was after the last step, or at the creation of the plan. */
export function isUntouched({ content }: ReleasePlan, document: Document['document'] | undefined): boolean {
  return document !== undefined && hashContent(document) === content;
}
