import { formatName } from '../../flags/document.ts';
import { endedPlansText } from '../../plans/planContent.ts';
import { isOpen } from '../../plans/releasePlan.ts';
import { contentOf, type StoredDocument } from '../documents/item.ts';
import { Documents } from '../documents/write.ts';
import type { DocumentWrite, WriteSet } from '../documents/writeSet.ts';
import type { Table } from '../table/table.ts';
import { openPlans, readPlan, writesOf } from './planItem.ts';

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
