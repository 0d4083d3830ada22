import { documentId, formatName } from '../../flags/document.ts';
import type { NewPlan } from '../../plans/newPlan.ts';
import { endedPlansText, withWaitingSteps } from '../../plans/planContent.ts';
import { isOpen, type ReleasePlan } from '../../plans/releasePlan.ts';
import { contentOf, encodeDocument, readableDocument, type StoredDocument } from '../documents/item.ts';
import { Documents } from '../documents/write.ts';
import type { DocumentWrite, WriteSet } from '../documents/writeSet.ts';
import type { Table } from '../table/table.ts';
import { openPlans, readPlan, writesOf } from './planItem.ts';

/** Options of each plan. With `appends`, documents are read as open plans will have left them at the time of its step. */
export type PlanOptions = Pick<NewPlan, 'guards' | 'watchMs' | 'appends'>;

/** What it needs of the plans of a table. */
interface Planner {
  create(envId: string, createdAt: number, make: () => Promise<readonly NewPlan[]>): Promise<ReleasePlan[]>;
  list(envId: string): Promise<ReleasePlan[]>;
}

interface Schedule extends PlanOptions {
  readonly at: number;
  readonly createdAt: number;
  readonly onCreated: (plans: readonly ReleasePlan[]) => void;
}

/** Documents whose changes become plans of one step. Writes return the documents as they will be. */
export class PlannedDocuments extends Documents {
  readonly #plans: Planner;
  readonly #schedule: Schedule;

  constructor(table: Table, plans: Planner, schedule: Schedule) {
    super(table);
    this.#plans = plans;
    this.#schedule = schedule;
  }

  override async load(envId: string): Promise<StoredDocument[]> {
    return this.#planned(envId, await super.load(envId));
  }

  override async find(envId: string, kind: StoredDocument['kind'], id: string): Promise<StoredDocument | undefined> {
    const stored = await super.find(envId, kind, id);
    return stored && (await this.#planned(envId, [stored]))[0];
  }

  protected override async carryOut(
    envId: string,
    prepare: (version: number) => Promise<WriteSet>,
  ): Promise<StoredDocument[]> {
    const { at, createdAt, onCreated, ...options } = this.#schedule;
    let documents: WriteSet['documents'] = [];
    const created = await this.#plans.create(envId, createdAt, async () => {
      // Steps get their versions when they are applied. Until then, none is taken.
      ({ documents } = await prepare(0));
      return documents.map((document): NewPlan => {
        const steps = [{ at, change: () => document }];
        return { kind: document.kind, documentId: documentId(document), type: 'changes', steps, ...options };
      });
    });
    onCreated(created);
    // A plan changes what exists.
    return documents.flatMap((write) =>
      write.before ? [encodeDocument(write, { ...write.before, updatedAt: at })] : [],
    );
  }

  async #planned(envId: string, stored: readonly StoredDocument[]): Promise<StoredDocument[]> {
    const { appends, at } = this.#schedule;
    if (!appends) return [...stored];
    const open = await this.#plans.list(envId);
    const plans = open.filter(({ type, state }) => type === 'changes' && state.kind === 'running');
    return stored.map((each) => {
      const plan = plans.find(({ kind, documentId: id }) => kind === each.kind && id === each.id);
      const document = plan && readableDocument(each);
      return document ? encodeDocument(withWaitingSteps(document, plan, at), each) : each;
    });
  }
}

/** Flags and segments. To archive or delete one also ends its open plan, in the same transaction. */
export class PlanEndingDocuments extends Documents {
  protected override carryOut(
    envId: string,
    prepare: (version: number) => Promise<WriteSet>,
  ): Promise<StoredDocument[]> {
    return super.carryOut(envId, async (version) => withEndedPlans(this.table, envId, await prepare(version)));
  }
}

async function withEndedPlans(table: Table, envId: string, set: WriteSet): Promise<WriteSet> {
  const names = set.documents.filter(isEnding).map(({ before }) => formatName(before as StoredDocument));
  if (names.length === 0) return set;
  const open = await openPlans(table, envId);
  const along = new Map<string, ReturnType<typeof writesOf>>();
  for (const name of names) {
    const id = open.get(name);
    const plan = id === undefined ? undefined : await readPlan(table, envId, id);
    if (!plan || !isOpen(plan)) continue;
    const by = (await table.author?.(envId))?.by ?? 'unknown';
    const state = { kind: 'aborted', at: table.effects.now(), by } as const;
    // The tick removes the due entry, which operators may not delete.
    along.set(name, writesOf(table, { ...plan, state }, plan, true));
  }
  return along.size === 0 ? set : { ...set, along, note: endedPlansText(along.size) };
}

function isEnding({ before, document }: DocumentWrite): boolean {
  const earlier = before && contentOf(before);
  if (!earlier) return false;
  return (document.isArchived && !earlier.isArchived) || (document.isDeleted === true && !earlier.isDeleted);
}
