import { createHash } from 'node:crypto';
import { contentText } from '../flags/content.ts';
import type { Document } from '../flags/document.ts';
import type { Flag } from '../flags/flag.ts';
import { isJsonObject, type JsonObject } from '../flags/reader.ts';
import type { TargetingRule } from '../flags/rule.ts';
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
  const running = { ...plan, steps, state: { kind: 'running' }, content, seenAt: document.updatedAt } as const;
  if (content === plan.content) return running;
  const applied = plan.steps.filter(({ outcome }) => outcome.kind === 'applied');
  const expected: JsonObject = Object.assign({ ...plan.before }, ...applied.map(({ fields }) => fields));
  const present = presentFields(document, expected);
  const before = Object.entries(plan.before).map(([name, value]) => {
    return [name, JSON.stringify(present[name]) === JSON.stringify(expected[name]) ? value : present[name]];
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

/**
 * The fields in which two states of a flag differ after the shares of a rule have grown. `rules` has only these shares, by the id of the
 * rule. So the plan continues after an operator has moved, renamed or added a rule. An earlier release refuses such a step.
 */
export function changedShares(before: Flag, after: Flag): JsonObject {
  const { rules, ...fields } = changedFields(before, after);
  if (!rules) return fields;
  const isChanged = (rule: TargetingRule, n: number) => JSON.stringify(rule) !== JSON.stringify(before.rules[n]);
  return { ...fields, rules: sharesOf((rules as Flag['rules']).filter(isChanged)) };
}

function sharesOf(rules: readonly Pick<TargetingRule, 'id' | 'variations'>[]): JsonObject {
  return Object.fromEntries(rules.map(({ id, variations }) => [id, variations]));
}

/** The present values of fields that a step sets, in the same form. A missing field becomes null. */
export function presentFields(document: Document['document'], fields: JsonObject): JsonObject {
  const content: JsonObject = JSON.parse(contentText(document));
  const values = Object.entries(fields).map(([name, value]) => {
    if (name !== 'rules' || !isJsonObject(value)) return [name, content[name] ?? null];
    return [name, sharesOf((content as unknown as Flag).rules.filter(({ id }) => Object.hasOwn(value, id)))];
  });
  return Object.fromEntries(values);
}

/** Whether a step sets the shares of a rule that the flag has no longer. */
export function lacksRule({ steps }: Pick<ReleasePlan, 'steps'>, { rules }: Document['document']): boolean {
  const named = steps.flatMap(({ fields }) => (isJsonObject(fields['rules']) ? Object.keys(fields['rules']) : []));
  const ids = new Set(rules.map(({ id }) => id));
  return named.some((id) => !ids.has(id));
}

/** A document with other fields, as steps set them. */
export function withFields({ kind, document }: Document, fields: JsonObject): Document {
  const shares = fields['rules'];
  const rules = isJsonObject(shares)
    ? document.rules.map((rule) => (Object.hasOwn(shares, rule.id) ? { ...rule, variations: shares[rule.id] } : rule))
    : (shares ?? document.rules);
  return { kind, document: { ...document, ...fields, rules } } as unknown as Document;
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

/** What the history adds to a command that archived or deleted flags or segments with open plans. */
export function endedPlansText(plans: number): string {
  return `; ended ${plans === 1 ? 'its plan' : `${plans} plans`}`;
}
