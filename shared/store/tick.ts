import { formatName } from '../flags/document.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { textIn } from './attributes.ts';
import { commit, finishInterrupted } from './commit.ts';
import { DocumentReader } from './documents.ts';
import { readHistoryDays } from './environment.ts';
import { NotFound, StoreError } from './errors.ts';
import { History } from './history.ts';
import { type Key, keys } from './keys.ts';
import { type Plan, planWrite } from './plan.ts';
import { readable, requireApplicable } from './planRules.ts';
import { pagesUnder } from './read.ts';
import {
  afterStep,
  dueKey,
  dueStep,
  hashContent,
  isUntouched,
  type PlanState,
  type ReleasePlan,
  readPlan,
  STEP_LIMIT,
  withFields,
  writesOf,
} from './releasePlan.ts';
import type { Table } from './table.ts';
import { retryWhenCancelled, sendTransaction } from './transaction.ts';
import { validated } from './write.ts';

/** Plans that one tick looks at. The next tick continues. */
const PLANS_PER_TICK = 1_000;
/** Environments at the same time, so that a large one delays no other. */
const CONCURRENCY = 10;
/** History entries that are searched for the last editor of a flag. */
const SEARCHED_ENTRIES = 1_000;

/**
 * Applies the steps that are due, in all environments. Ticks may overlap and may be killed: each step is applied once, because one
 * transaction writes the document and the progress of its plan.
 *
 * @param until no plan starts later, unix milliseconds
 * @returns the failures. The next tick tries again
 */
export async function runTick(table: Table, until = Number.POSITIVE_INFINITY): Promise<Error[]> {
  const failures: Error[] = [];
  const entries = await dueEntries(table);
  const environments = [...Map.groupBy(entries, ({ envId }) => envId).values()];
  const worker = async () => {
    for (let own = environments.shift(); own; own = environments.shift()) {
      for (const { envId, planId, key } of own) {
        if (table.effects.now() >= until) return;
        await advancePlan(table, envId, planId, key).catch((cause: Error) => {
          failures.push(new Error(`plan ${planId} of environment ${envId}: ${cause.message}`, { cause }));
        });
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return failures;
}

async function dueEntries(table: Table): Promise<{ envId: string; planId: string; key: Key }[]> {
  const { pk, sk } = keys.due(table.effects.now(), '~', '');
  const pages = pagesUnder(table, pk, {
    KeyConditionExpression: 'pk = :pk AND sk < :end',
    ExpressionAttributeValues: { ':end': sk },
    Limit: PLANS_PER_TICK,
  });
  for await (const items of pages) {
    return items.map((item) => {
      const [, envId = '', planId = ''] = textIn(item, 'sk').split('#');
      return { envId, planId, key: { pk, sk: { S: textIn(item, 'sk') } } };
    });
  }
  return [];
}

/**
 * Applies the due steps of one plan, in order.
 *
 * @param entry the due entry that led here. It is removed if it is not the plan's. Without it, old entries stay for the tick: operators have no
 *   permission to delete them
 */
export async function advancePlan(table: Table, envId: string, planId: string, entry?: Key): Promise<void> {
  let isEntryLeft = true;
  for (let steps = 0; steps <= STEP_LIMIT; steps++) {
    const plan = await readPlan(table, envId, planId);
    const position = plan ? dueStep(plan, table.effects.now()) : -1;
    if (!plan || position < 0) break;
    const isOwnLeft = await applyStep(table, plan, position, entry === undefined);
    if (!isOwnLeft && dueKey(plan)?.sk.S === entry?.sk.S) isEntryLeft = false;
  }
  if (entry && isEntryLeft) await removeEntry(table, envId, planId, entry);
}

/** Removes an entry that an interrupted step has left, or that has no plan. */
async function removeEntry(table: Table, envId: string, planId: string, Key: Key): Promise<void> {
  await retryWhenCancelled(table.effects, async () => {
    const plan = await readPlan(table, envId, planId);
    if (plan && dueKey(plan)?.sk.S === Key.sk.S) return;
    if (plan) await finishInterrupted(table, envId);
    // The plan is written with it, because a command may give it this entry again meanwhile.
    const writes = plan ? writesOf(table, plan, plan) : [];
    await sendTransaction(table, [...writes, { Delete: { TableName: table.name, Key } }]);
  });
}

/** @returns whether the plan's due entry is left, because the write is unfinished or `keepsEntry` is true */
async function applyStep(table: Table, plan: ReleasePlan, position: number, keepsEntry: boolean): Promise<boolean> {
  const { id, envId, by, steps } = plan;
  const command = `step ${position + 1} of ${steps.length}: ${plan.command}`;
  const author = async () => ({ by: `plan ${id} of ${by}`, command, keepDays: await readHistoryDays(table, envId) });
  let isEntryLeft = false;
  await commit({ ...table, author }, envId, async (version): Promise<Plan> => {
    const present = await readPlan(table, envId, id);
    if (present?.revision !== plan.revision) return { documents: [] };
    const { after, ...planned } = await planStep(table, plan, position, version);
    const progress = (isUnfinished: boolean) => {
      isEntryLeft = isUnfinished || keepsEntry;
      return writesOf(table, after, plan, isEntryLeft);
    };
    return { ...planned, progress };
  }).catch(async (error) => {
    // The environment was removed while the plan was created.
    if (!(error instanceof NotFound)) throw error;
    isEntryLeft = true;
    await sendTransaction(table, [{ Delete: { TableName: table.name, Key: keys.plan(envId, id) } }]);
  });
  return isEntryLeft;
}

/** What a step writes, and the plan after it. */
async function planStep(
  table: Table,
  plan: ReleasePlan,
  position: number,
  version: number,
): Promise<Plan & { readonly after: ReleasePlan }> {
  const now = table.effects.now();
  const stored = await new DocumentReader(table).load(plan.envId);
  const own = stored.find((each) => each.kind === plan.kind && each.id === plan.documentId);
  const pause = (state: PlanState) => ({ documents: [], after: { ...plan, state } });
  const before = own && readable(own);
  if (!before || !isUntouched(plan, own)) return pause(await pausedByEdit(table, plan));
  try {
    const wanted = withFields(before, plan.steps[position]?.fields ?? {});
    requireApplicable(before, wanted, stored);
    const document = validated(wanted);
    const after = {
      ...afterStep(plan, position, { kind: 'applied', at: now }),
      content: hashContent(document.document),
    };
    return { ...planWrite(stored, [document], version), keepTimestamps: false, after };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return pause({ kind: 'paused', at: now, reason: `step ${position + 1} cannot be applied: ${error.message}` });
  }
}

/** A plan as it is now: paused as soon as somebody has changed its document, before a tick has noticed it. */
export async function presentPlan(table: Table, plan: ReleasePlan): Promise<ReleasePlan> {
  const { envId, kind, documentId, id, revision } = plan;
  if (plan.state.kind !== 'running') return plan;
  if (isUntouched(plan, await new DocumentReader(table).find(envId, kind, documentId))) return plan;
  const now = await readPlan(table, envId, id);
  // A step was applied between the reads.
  if (now && now.revision !== revision) return presentPlan(table, now);
  return { ...plan, state: await pausedByEdit(table, plan) };
}

/** The state after a manual edit, with its author and time if the history has them. */
async function pausedByEdit(table: Table, { envId, kind, documentId }: ReleasePlan): Promise<PlanState> {
  let searched = 0;
  for await (const { documents, by, version } of new History(table).entries(envId)) {
    if (documents.some((each) => each.kind === kind && each.id === documentId && !each.isFollower)) {
      return { kind: 'paused', at: version, reason: `${by} changed the ${kind} at ${formatTimestamp(version)}` };
    }
    if (++searched >= SEARCHED_ENTRIES) break;
  }
  const reason = `${formatName({ kind, id: documentId })} was changed; the history does not show by whom`;
  return { kind: 'paused', at: table.effects.now(), reason };
}
