import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Document, documentName, documentTitle, formatName } from '../../flags/document.ts';
import { type NewPlan, stepsOf } from '../../plans/newPlan.ts';
import { continued, hashContent, lacksRule, withFields } from '../../plans/planContent.ts';
import { afterStep, isOpen, nextStep, type ReleasePlan } from '../../plans/releasePlan.ts';
import { mapConcurrently } from '../../runtime/mapConcurrently.ts';
import { DocumentReader } from '../documents/documents.ts';
import { contentOf, readableDocument } from '../documents/item.ts';
import type { Documents } from '../documents/write.ts';
import { numberIn } from '../table/attributes.ts';
import { Conflict, NotFound } from '../table/errors.ts';
import { keys } from '../table/keys.ts';
import { readItem, readItems } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { TableAccess } from '../table/tableAccess.ts';
import { putAfter, retryWhenCancelled, sendTransaction } from '../table/transaction.ts';
import { advancePlan, presentPlan } from './applyPlan.ts';
import { appended, requireApplicable, requireRoom } from './planChecks.ts';
import { fromItem, ONLY_OPEN, openPlans, planText, readPlan, writesOf } from './planItem.ts';
import { PlannedDocuments, type PlanOptions } from './plannedDocuments.ts';
import { openWebhookSecrets, type WebhookSecrets } from './webhooks.ts';

/** Maximum size of a plan with the manual changes that it takes over, in bytes. The rest is for the outcomes of its steps. */
const RESUMED_LIMIT_BYTES = 384 * 1024;

/** Plans: changes of flags and segments at given times. */
export class Plans extends TableAccess {
  /**
   * Checks plans as a whole and stores all or none. Plans with `appends` may extend an open plan.
   *
   * @param createdAt the time that `now` is, unix milliseconds
   * @param make the plans, from the present documents. Called again if another writer was faster
   * @returns the stored plans, without those that change nothing
   * @throws {StoreError | InvalidInput} if a plan breaks a rule or a limit, or the flag or segment has an open plan
   */
  async create(
    envId: string,
    createdAt: number,
    make: (all: readonly Document[]) => readonly NewPlan[] | Promise<readonly NewPlan[]>,
  ): Promise<ReleasePlan[]> {
    const table = this.table;
    const { by, command } = (await table.author?.(envId)) ?? { by: 'unknown', command: '' };
    return retryWhenCancelled(table.effects, async () => {
      // Before the open plans, so that a plan that is created after they are read makes the transaction fail.
      const counter = await readItem(table, keys.planCounter(envId));
      const open = await openPlans(table, envId);
      const stored = await new DocumentReader(table).load(envId);
      const all = stored.flatMap((each) => readableDocument(each) ?? []);
      const plans: ReleasePlan[] = [];
      const extended = new Map<ReleasePlan, ReleasePlan>();
      for (const wanted of await make(all)) {
        const { kind, documentId, type, guards = [], webhook } = wanted;
        const name = formatName({ kind, id: documentId });
        const start = all.find((each) => documentName(each) === name);
        if (!start) throw new NotFound(`there is no ${name}; a plan changes one that exists`);
        const requireStep = (before: Document, after: Document) => requireApplicable(before, after, stored);
        const present = { start, all, requireApplicable: requireStep };
        const earlier = wanted.appends ? await this.#listOfChanges(envId, open.get(name)) : undefined;
        if (earlier) {
          const longer = appended(earlier, wanted, createdAt, present, { by, command });
          if (longer) {
            plans.push(longer);
            extended.set(longer, earlier);
          }
          continue;
        }
        const { steps, before } = stepsOf(wanted, createdAt, present);
        if (steps.length === 0) continue;
        if (open.has(name)) {
          throw new Conflict(
            `${documentTitle(start)} has an open plan already; wait for its end, or abort it (plan abort)`,
          );
        }
        const guarded = { ...(guards.length > 0 ? { guards } : {}), ...(webhook ? { webhook } : {}) };
        const common = { kind, documentId, type, steps, before, ...guarded, by, command, createdAt };
        const state = { kind: 'running' } as const;
        const id = this.#newId(plans.length);
        const seen = { content: hashContent(start.document), seenAt: start.document.updatedAt };
        plans.push({ ...common, id, envId, state, ...seen, revision: 1 });
      }
      if (plans.length === 0) return [];
      requireRoom(plans, open.size - extended.size);
      await sendTransaction(table, [
        ...countCreation(table, envId, counter ? numberIn(counter, 'revision') : 0),
        ...plans.flatMap((plan) => writesOf(table, plan, extended.get(plan), true)),
      ]);
      return plans;
    });
  }

  /**
   * Documents whose changes become plans of one step. See {@link PlannedDocuments}.
   *
   * @param at the time of the step, unix milliseconds
   * @param createdAt as in {@link Plans.create}
   * @param onCreated receives the plans of each change
   * @param options of each plan
   */
  scheduled(
    at: number,
    createdAt: number,
    onCreated: (plans: readonly ReleasePlan[]) => void,
    options: PlanOptions = {},
  ): Documents {
    return new PlannedDocuments(this.table, this, { at, createdAt, onCreated, ...options });
  }

  /**
   * The plans of an environment, oldest first. Plans that have ended are kept for 30 days.
   *
   * @param target only the plans of this flag or segment
   */
  async list(
    envId: string,
    which: 'open' | 'all' = 'open',
    target?: Pick<ReleasePlan, 'kind' | 'documentId'>,
  ): Promise<ReleasePlan[]> {
    const items = await readItems(this.table, keys.planCounter(envId).pk, which === 'open' ? ONLY_OPEN : {});
    const all = items.flatMap((item) => fromItem(item) ?? []);
    const isWanted = ({ kind, documentId }: ReleasePlan) => kind === target?.kind && documentId === target.documentId;
    const plans = target ? all.filter(isWanted) : all;
    return mapConcurrently(plans, (plan) => presentPlan(this.table, plan));
  }

  /**
   * Continues a paused plan with the present state of its flag or segment. Steps whose time has passed are applied at the next tick. In a
   * rollout, this is only the next step ({@link continued}).
   *
   * @returns undefined if it is not paused
   * @throws {Conflict} if the flag or segment is archived or deleted, and the next step does not restore it
   */
  resume(envId: string, id: string): Promise<ReleasePlan | undefined> {
    return this.#change(envId, id, async (plan) => {
      if ((await presentPlan(this.table, plan)).state.kind !== 'paused') return undefined;
      const stored = await new DocumentReader(this.table).find(envId, plan.kind, plan.documentId);
      const document = contentOf(stored);
      if (!document) throw new NotFound(`${formatName({ kind: plan.kind, id: plan.documentId })} cannot be read`);
      requireActive(plan, document);
      if (lacksRule(plan, document)) {
        throw new Conflict('the rule of the plan was removed; undo the removal in the history, or abort the plan');
      }
      const resumed = continued(plan, document, this.table.effects.now());
      const bytes = Buffer.byteLength(planText(resumed));
      if (bytes > RESUMED_LIMIT_BYTES) {
        throw new Conflict(
          `the plan would have ${bytes} bytes with the manual changes, more than the limit of ${RESUMED_LIMIT_BYTES}; abort it, and create another one`,
        );
      }
      return resumed;
    });
  }

  /** Skips the next step of a plan. */
  async skip(envId: string, id: string): Promise<ReleasePlan | undefined> {
    const by = await this.#author(envId);
    const at = this.table.effects.now();
    let wanted: number | undefined;
    return this.#change(envId, id, async (plan) => {
      const next = nextStep(plan);
      wanted ??= next;
      // Another attempt, because a tick was faster.
      if (next !== wanted) throw new Conflict(`step ${wanted + 1} is no longer waiting; nothing was skipped`);
      return afterStep(plan, next, { kind: 'skipped', at, by });
    });
  }

  /** Ends a plan. Steps that were applied stay. */
  async abort(envId: string, id: string): Promise<ReleasePlan | undefined> {
    const by = await this.#author(envId);
    const at = this.table.effects.now();
    return this.#change(envId, id, async (plan) => ({ ...plan, state: { kind: 'aborted', at, by } }));
  }

  /** Applies the due steps of a plan, as a tick does. @returns the plan after them */
  async advance(envId: string, id: string): Promise<ReleasePlan | undefined> {
    await advancePlan(this.table, envId, id);
    return readPlan(this.table, envId, id);
  }

  /** The secrets of webhooks of plans. */
  webhookSecrets(envId: string): Promise<WebhookSecrets> {
    return openWebhookSecrets(this.table, envId);
  }

  async #author(envId: string): Promise<string> {
    return (await this.table.author?.(envId))?.by ?? 'unknown';
  }

  /** An open plan that steps can be added to. */
  async #listOfChanges(envId: string, id: string | undefined): Promise<ReleasePlan | undefined> {
    const plan = id === undefined ? undefined : await readPlan(this.table, envId, id);
    return plan && plan.type === 'changes' && isOpen(plan) ? presentPlan(this.table, plan) : undefined;
  }

  /** Ids sort by time. */
  #newId(n: number): string {
    const { now, random } = this.table.effects;
    const suffix = Math.floor(random() * 36 ** 2).toString(36);
    return `p-${(now() + n).toString(36)}${suffix.padStart(2, '0')}`;
  }

  #change(
    envId: string,
    id: string,
    change: (plan: ReleasePlan) => Promise<ReleasePlan | undefined>,
  ): Promise<ReleasePlan | undefined> {
    const table = this.table;
    return retryWhenCancelled(table.effects, async () => {
      const plan = await readPlan(table, envId, id);
      if (!plan) throw new NotFound(`there is no plan "${id}"; \`plan list\` shows the open plans`);
      if (!isOpen(plan)) throw new Conflict(`the plan is ${plan.state.kind} already`);
      const changed = await change(plan);
      if (changed) await sendTransaction(table, writesOf(table, changed, plan, true));
      return changed;
    });
  }
}

/** @throws {Conflict} */
function requireActive(plan: ReleasePlan, document: Document['document']): void {
  const present = { kind: plan.kind, document } as Document;
  const next = withFields(present, plan.steps[nextStep(plan)]?.fields ?? {});
  if (!document.isArchived || !next.document.isArchived) return;
  const [state, way] = document.isDeleted ? ['deleted', 'undo the deletion'] : ['archived', 'restore it'];
  throw new Conflict(
    `${documentTitle(present)} is ${state}, so its plan cannot continue; ${way} first, or abort the plan`,
  );
}

/** Counts a creation of plans, and marks the environment for guards. @param before how many there were before */
function countCreation(table: Table, envId: string, before: number): TransactWriteItem[] {
  const revision = { N: String(before + 1) };
  return [
    putAfter(table, before, { ...keys.planCounter(envId), revision }),
    { Put: { TableName: table.name, Item: { ...keys.planned(envId), revision } } },
  ];
}
