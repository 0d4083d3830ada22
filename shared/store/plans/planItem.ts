import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { formatName } from '../../flags/document.ts';
import { nextStep, type ReleasePlan } from '../../plans/releasePlan.ts';
import { attributesOf, type Item, numberIn, textIn } from '../table/attributes.ts';
import { UnreadablePlan } from '../table/errors.ts';
import { type Key, keys } from '../table/keys.ts';
import { readItem, readItems } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { putAfter } from '../table/transaction.ts';

/** How long a plan is kept after its end, in days. Its steps are in the history. */
const KEPT_DAYS = 30;

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
  table: Table,
  plan: ReleasePlan,
  before?: ReleasePlan,
  keepsEntry = false,
): TransactWriteItem[] {
  const { name: TableName } = table;
  const revision = before?.revision ?? 0;
  const [from, to] = [before && dueKey(before), dueKey(plan)];
  return [
    putAfter(table, revision, toItem({ ...plan, revision: revision + 1 }, to)),
    ...(to ? [{ Put: { TableName, Item: to } }] : []),
    ...(from && from.sk.S !== to?.sk.S && !keepsEntry ? [{ Delete: { TableName, Key: from } }] : []),
  ];
}

/** Reads a plan. @returns undefined if it does not exist. @throws {UnreadablePlan} */
export async function readPlan(table: Table, envId: string, id: string): Promise<ReleasePlan | undefined> {
  // DynamoDB refuses an empty key. An operator may have written an entry without an id.
  const item = id === '' ? undefined : await readItem(table, keys.plan(envId, id));
  return item && fromItem(item);
}

/** Limits a query of the partition of plans to the open ones. */
export const ONLY_OPEN = {
  FilterExpression: 'isOpen = :open',
  ExpressionAttributeValues: { ':open': { BOOL: true } },
};

/** The ids of the open plans of an environment, by the name of their flag or segment. */
export async function openPlans(table: Table, envId: string): Promise<Map<string, string>> {
  const names = { ...ONLY_OPEN, ProjectionExpression: 'sk, target' };
  const items = await readItems(table, keys.planCounter(envId).pk, names);
  return new Map(items.map((item) => [textIn(item, 'target'), textIn(item, 'sk')]));
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
    ...attributesOf({
      target: formatName({ kind, id: documentId }),
      isOpen: { BOOL: end === undefined },
      revision,
      plan: planText(plan),
      due: due?.sk,
      pausedAt: state.kind === 'paused' ? state.at : undefined,
      expiresAt: end === undefined ? undefined : Math.floor(end / 1_000) + KEPT_DAYS * 86_400,
    }),
  };
}

/** A plan as stored. */
export function planText(plan: ReleasePlan): string {
  return JSON.stringify({ ...plan, envId: undefined, id: undefined, revision: undefined });
}
