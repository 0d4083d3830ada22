import { createHash } from 'node:crypto';
import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { contentText } from '../../flags/content.ts';
import { type Document, formatName } from '../../flags/document.ts';
import type { JsonObject } from '../../flags/reader.ts';
import { contentOf, type StoredDocument } from '../documents/item.ts';
import { type Item, numberIn, textIn } from '../table/attributes.ts';
import { UnreadablePlan } from '../table/errors.ts';
import { type Key, keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';

/** Maximum number of steps of a plan. */
export const STEP_LIMIT = 50;

/** Maximum number of alarms that guard a plan by its list. */
export const GUARD_LIMIT = 5;

/** How long a plan is kept after its end, in days. Its steps are in the history. */
const KEPT_DAYS = 30;

/** Planned changes of one flag or segment. */
export interface ReleasePlan {
  readonly id: string;
  readonly envId: string;
  readonly kind: StoredDocument['kind'];
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
export function nextStep({ steps }: Pick<ReleasePlan, 'steps'>): number {
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

/** Whether the document is as it was after the last step, or at the creation of the plan. */
export function isUntouched({ content }: ReleasePlan, stored: StoredDocument | undefined): boolean {
  const document = contentOf(stored);
  return document !== undefined && hashContent(document) === content;
}

/** The key of a plan's entry in the list of due steps. @returns undefined if no step waits for its time */
export function dueKey(plan: ReleasePlan): Key | undefined {
  const step = plan.state.kind === 'running' ? plan.steps[nextStep(plan)] : undefined;
  return step && keys.due(step.at, plan.envId, plan.id);
}

/**
 * The part of a transaction that writes a plan and its due entry. It fails if the plan has changed meanwhile.
 *
 * @param before the plan as read. Undefined for a new plan
 * @param keepsEntry leave the old due entry to the tick, which looks at the plan again
 */
export function writesOf(
  { name: TableName }: Table,
  plan: ReleasePlan,
  before?: ReleasePlan,
  keepsEntry = false,
): TransactWriteItem[] {
  const [from, to] = [before && dueKey(before), dueKey(plan)];
  return [
    {
      Put: {
        TableName,
        Item: toItem({ ...plan, revision: (before?.revision ?? 0) + 1 }, to),
        ...(before
          ? {
              ConditionExpression: 'revision = :revision',
              ExpressionAttributeValues: { ':revision': { N: String(before.revision) } },
            }
          : { ConditionExpression: 'attribute_not_exists(pk)' }),
      },
    },
    ...(to ? [{ Put: { TableName, Item: to } }] : []),
    ...(from && from.sk.S !== to?.sk.S && !keepsEntry ? [{ Delete: { TableName, Key: from } }] : []),
    ...guardWrites(TableName, plan, before, keepsEntry),
  ];
}

/** The entries by which an alarm finds the open plans that it guards. An old one is harmless, and the alarm removes it. */
function guardWrites(
  TableName: string,
  plan: ReleasePlan,
  before: ReleasePlan | undefined,
  keepsEntry: boolean,
): TransactWriteItem[] {
  const entries = (plan.guards ?? []).map((alarm) => keys.guard(alarm, plan.envId, plan.id));
  if (!before) return entries.map((Item) => ({ Put: { TableName, Item } }));
  return isOpen(plan) || keepsEntry ? [] : entries.map((Key) => ({ Delete: { TableName, Key } }));
}

/** Reads a plan. @returns undefined if it does not exist. @throws {UnreadablePlan} */
export async function readPlan(table: Table, envId: string, id: string): Promise<ReleasePlan | undefined> {
  // DynamoDB refuses an empty key. An operator may have written an entry without an id.
  const item = id === '' ? undefined : await readItem(table, keys.plan(envId, id));
  return item && fromItem(item);
}

/** Parses an item of the partition of plans. @returns undefined if it is no plan. @throws {UnreadablePlan} */
export function fromItem(item: Item): ReleasePlan | undefined {
  const text = textIn(item, 'plan');
  if (text === '') return undefined;
  const [envId, id] = [textIn(item, 'pk').slice('PLAN#'.length), textIn(item, 'sk')];
  try {
    const plan: ReleasePlan = { ...JSON.parse(text), envId, id, revision: numberIn(item, 'revision') };
    // What decides when a tick looks at it again.
    const isReadable = plan.steps.every(({ at, outcome }) => Number.isSafeInteger(at) && outcome.kind);
    if (isReadable && plan.state.kind) return plan;
  } catch {}
  throw new UnreadablePlan(`plan ${id} cannot be read; delete its item of PLAN#${envId}, and create it again`);
}

function toItem(plan: ReleasePlan, due: Key | undefined): Record<string, AttributeValue> {
  const { id, envId, kind, documentId, state, revision } = plan;
  const end = state.kind === 'done' || state.kind === 'aborted' ? state.at : undefined;
  return {
    ...keys.plan(envId, id),
    target: { S: formatName({ kind, id: documentId }) },
    isOpen: { BOOL: end === undefined },
    revision: { N: String(revision) },
    plan: { S: planText(plan) },
    ...(due ? { due: due.sk } : {}),
    ...(state.kind === 'paused' ? { pausedAt: { N: String(state.at) } } : {}),
    ...(end === undefined ? {} : { expiresAt: { N: String(Math.floor(end / 1_000) + KEPT_DAYS * 86_400) } }),
  };
}

/** A plan as stored. */
export function planText(plan: ReleasePlan): string {
  return JSON.stringify({ ...plan, envId: undefined, id: undefined, revision: undefined });
}
