import { formatName } from '../../flags/document.ts';
import { shortened } from '../../flags/texts.ts';
import { formatTimestamp, parseTimestamp } from '../../flags/timestamp.ts';
import { hashContent, isUntouched, lacksRule, withFields } from '../../plans/planContent.ts';
import {
  type FiredGuard,
  type Paused,
  type PlanUpdate,
  type ReadGuards,
  stepAuthor,
  updateByGuard,
  updateByStep,
  withRequest,
} from '../../plans/planUpdate.ts';
import { dueStep, isOpen, type PlanState, type ReleasePlan, STEP_LIMIT } from '../../plans/releasePlan.ts';
import { commit, finishInterrupted } from '../documents/commit.ts';
import { DocumentReader } from '../documents/documents.ts';
import type { HistoryEntry } from '../documents/historyEntry.ts';
import { contentOf, readableDocument, type StoredDocument } from '../documents/item.ts';
import { validated } from '../documents/write.ts';
import { planWrites, type WriteSet } from '../documents/writeSet.ts';
import { readHistoryDays } from '../environments/environment.ts';
import { History } from '../history/history.ts';
import { Conflict, NotFound, StoreError } from '../table/errors.ts';
import { type Key, keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { retryWhenCancelled, sendTransaction } from '../table/transaction.ts';
import { requireApplicable } from './planChecks.ts';
import { dueKey, readPlan, writesOf } from './planItem.ts';

/** History entries that are searched for the last editor of a flag. */
const SEARCHED_ENTRIES = 1_000;
/** Maximum number of characters of the reason why fields cannot be set. */
const REASON_LIMIT = 1_000;
/** How often a guard tries again if the plan changes meanwhile. */
const FIRE_ATTEMPTS = 10;
/**
 * Applies the due steps of one plan, in order.
 *
 * @param entry the due entry that led here. It is removed if it is not the plan's. Without it, old entries stay for the tick: operators have no
 *   permission to delete them
 * @param readGuards reads the guards before each step
 */
export async function advancePlan(
  table: Table,
  envId: string,
  planId: string,
  entry?: Key,
  readGuards?: ReadGuards,
): Promise<void> {
  let isEntryLeft = true;
  // One more for the end of the watch.
  for (let steps = 0; steps <= STEP_LIMIT + 1; steps++) {
    const plan = await readPlan(table, envId, planId);
    const position = plan ? dueStep(plan, table.effects.now()) : -1;
    if (!plan || position < 0) break;
    const update = updateByStep(plan, position, await readGuards?.(plan));
    const isOwnLeft = await applyUpdate(table, plan, update, entry === undefined);
    if (!isOwnLeft && dueKey(plan)?.sk.S === entry?.sk.S) isEntryLeft = false;
  }
  if (entry && isEntryLeft) await removeEntry(table, envId, planId, entry);
}

/**
 * Undoes the applied steps of an open plan and pauses it, because a guard has fired. It pauses the plan and undoes nothing if somebody has
 * edited the flag or segment since. Repeated calls have no further effect until the plan is resumed. A repeated request of a webhook has none
 * after that either.
 *
 * @returns the plan after it
 */
export async function fireGuard(
  table: Table,
  envId: string,
  planId: string,
  guard: FiredGuard,
): Promise<ReleasePlan | undefined> {
  for (let attempts = 0; attempts < FIRE_ATTEMPTS; attempts++) {
    const plan = await readPlan(table, envId, planId);
    if (!plan || !isOpen(plan)) return plan;
    // An earlier call may have been killed before flags that refer to the segment were written.
    if (plan.state.kind === 'paused' && plan.state.guard !== undefined) {
      await finishInterrupted(table, envId);
      return plan;
    }
    // Also if nothing is undone, so that a repeated request has no effect after `plan resume`.
    const marked = guard.kind === 'webhook' ? withRequest(plan, guard.request, table.effects.now()) : plan;
    if (!marked) return plan;
    await applyUpdate(table, marked, updateByGuard(marked, guard), false);
  }
  throw new Conflict(`plan ${planId} kept changing while guard "${guard.name}" fired`);
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
async function applyUpdate(table: Table, plan: ReleasePlan, update: PlanUpdate, keepsEntry: boolean): Promise<boolean> {
  const { id, envId } = plan;
  const { by, command } = update;
  const author = async () => ({ by, command, keepDays: await readHistoryDays(table, envId) });
  let isEntryLeft = false;
  await commit({ ...table, author }, envId, async (version): Promise<WriteSet> => {
    const present = await readPlan(table, envId, id);
    if (present?.revision !== plan.revision) return { documents: [] };
    const { after, ...writes } = await writesOfUpdate(table, plan, update, version);
    const progress = (isUnfinished: boolean) => {
      isEntryLeft = isUnfinished || keepsEntry;
      return writesOf(table, after, plan, isEntryLeft);
    };
    return { ...writes, progress };
  }).catch(async (error) => {
    // The environment was removed while the plan was created.
    if (!(error instanceof NotFound)) throw error;
    isEntryLeft = true;
    await sendTransaction(table, [{ Delete: { TableName: table.name, Key: keys.plan(envId, id) } }]);
  });
  return isEntryLeft;
}

/** What an update writes, and the plan after it. */
async function writesOfUpdate(
  table: Table,
  plan: ReleasePlan,
  { fields, after, whenEdited, whenRefused }: PlanUpdate,
  version: number,
): Promise<WriteSet & { readonly after: ReleasePlan }> {
  const now = table.effects.now();
  if (!fields) return { documents: [], after: after(now) };
  const stored = await new DocumentReader(table).load(plan.envId);
  const own = stored.find((each) => each.kind === plan.kind && each.id === plan.documentId);
  const pause = (state: PlanState) => ({ documents: [], after: { ...plan, state } });
  const before = own && readableDocument(own);
  if (!before || (await isEdited(table, plan, own))) return pause(whenEdited(await pausedByEdit(table, plan, own)));
  try {
    const wanted = withFields(before, fields);
    requireApplicable(before, wanted, stored);
    const document = validated(wanted);
    return {
      ...planWrites(stored, [document], version),
      keepTimestamps: false,
      after: { ...after(now), content: hashContent(document.document) },
    };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // A document can have thousands of problems, and an item has at most 400 KB.
    return pause(whenRefused(now, shortened(error.message, REASON_LIMIT)));
  }
}

/** A plan as it is now: paused as soon as somebody has changed its document, before a tick has noticed it. */
export async function presentPlan(table: Table, plan: ReleasePlan): Promise<ReleasePlan> {
  const { envId, kind, documentId, id, revision } = plan;
  if (plan.state.kind !== 'running') return plan;
  const stored = await new DocumentReader(table).find(envId, kind, documentId);
  if (!(await isEdited(table, plan, stored))) return plan;
  const now = await readPlan(table, envId, id);
  // A step was applied between the reads.
  if (now && now.revision !== revision) return presentPlan(table, now);
  return { ...plan, state: await pausedByEdit(table, plan, stored) };
}

/** The state after a manual edit, with its author and time if the history has them. */
async function pausedByEdit(table: Table, plan: ReleasePlan, stored: StoredDocument | undefined): Promise<Paused> {
  const { kind, documentId } = plan;
  const content = contentOf(stored);
  const missing = content && lacksRule(plan, content) ? ', and the rule of the plan was removed' : '';
  const entry = await lastChange(table, plan, stored);
  if (entry) {
    const reason = `${entry.by} changed the ${kind} at ${formatTimestamp(entry.version)}${missing}`;
    return { kind: 'paused', at: entry.version, reason };
  }
  const reason = `${formatName({ kind, id: documentId })} was changed; the history does not show by whom${missing}`;
  return { kind: 'paused', at: table.effects.now(), reason };
}

/** Whether somebody changed a document since its plan did, also if a later change took that back. */
async function isEdited(table: Table, plan: ReleasePlan, stored: StoredDocument | undefined): Promise<boolean> {
  const content = contentOf(stored);
  if (!isUntouched(plan, content)) return true;
  if (plan.seenAt === undefined || content?.updatedAt === plan.seenAt) return false;
  const entry = await lastChange(table, plan, stored, parseTimestamp(plan.seenAt));
  return entry !== undefined && !entry.by.startsWith(stepAuthor(plan, ''));
}

/** The newest change of a plan's document itself, if the newest entries of the history have it. @param after only newer entries */
async function lastChange(
  table: Table,
  { envId, kind, documentId }: ReleasePlan,
  stored: StoredDocument | undefined,
  after = 0,
): Promise<HistoryEntry | undefined> {
  let searched = 0;
  for await (const entry of entriesUpTo(table, envId, stored)) {
    if (entry.version <= after) break;
    if (entry.documents.some((each) => each.kind === kind && each.id === documentId && !each.isFollower)) return entry;
    if (++searched >= SEARCHED_ENTRIES) break;
  }
  return undefined;
}

/** The history from the newest version of a document back. Its first entry changed the document, unless a segment did. */
async function* entriesUpTo(
  table: Table,
  envId: string,
  stored: StoredDocument | undefined,
): AsyncGenerator<HistoryEntry> {
  const history = new History(table);
  const newest = stored && (await history.entryOf(envId, stored.updatedAt));
  if (newest) yield newest;
  yield* history.entries(envId, newest?.version);
}
