import type { ReleasePlan } from '../../plans/releasePlan.ts';
import { type Item, textIn } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { itemsUnder, pagesUnder, readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { deleteItem } from '../table/write.ts';
import { fromItem, ONLY_OPEN } from './planItem.ts';

/** What an alarm needs of an open plan. The steps of all plans would fill the memory. */
export type OpenPlan = Pick<ReleasePlan, 'envId' | 'id' | 'kind' | 'documentId' | 'guards'>;

/**
 * Finds the open plans of all environments. Costs one read if there are none: the creation of a plan marks its environment. Removes the marks of
 * environments without open plans, because operators may not delete them.
 *
 * @param onFailure receives why a plan, or those of an environment, cannot be read. All others are found
 */
export async function findOpenPlans(table: Table, onFailure: (error: Error) => void): Promise<OpenPlan[]> {
  const found: OpenPlan[] = [];
  const { pk } = keys.planned('');
  for await (const { sk, revision = { N: '0' } } of itemsUnder(table, pk)) {
    const envId = sk?.S ?? '';
    try {
      let open = 0;
      for await (const items of pagesUnder(table, keys.planCounter(envId).pk, ONLY_OPEN)) {
        open += items.length;
        found.push(...items.flatMap((item) => openPlanOf(item, onFailure)));
      }
      // A plan that is created meanwhile marks its environment with a new revision.
      const condition = 'revision = :revision OR attribute_not_exists(revision)';
      if (open === 0) await deleteItem(table, keys.planned(envId), { condition, values: { revision } });
    } catch (cause) {
      const reason = (cause as Error).message;
      onFailure(new Error(`the plans of environment ${envId} cannot be read: ${reason}`, { cause }));
    }
  }
  return found;
}

function openPlanOf(item: Item, onFailure: (error: Error) => void): OpenPlan[] {
  try {
    const plan = fromItem(item);
    if (!plan) return [];
    const { envId, id, kind, documentId, guards } = plan;
    return [{ envId, id, kind, documentId, ...(guards && { guards }) }];
  } catch (error) {
    onFailure(error as Error);
    return [];
  }
}

/** Selects the plans of flags by `<environment>/<flag>`, where the environment is an id or a name. */
export async function selectPlansOfFlags(
  table: Table,
  open: readonly OpenPlan[],
  targets: readonly string[],
): Promise<OpenPlan[]> {
  const found: OpenPlan[] = [];
  for (const plan of open) {
    if (plan.kind === 'flag' && (await includesFlag(table, targets, plan.envId, plan.documentId))) found.push(plan);
  }
  return found;
}

/** Whether one of these `<environment>/<flag>` is a flag of an environment. */
export async function includesFlag(
  table: Table,
  targets: readonly string[],
  envId: string,
  flag: string,
): Promise<boolean> {
  if (targets.includes(`${envId}/${flag}`)) return true;
  if (!targets.some((target) => target.endsWith(`/${flag}`))) return false;
  const item = await readItem(table, keys.environment(envId));
  return item !== undefined && targets.includes(`${textIn(item, 'name')}/${flag}`);
}
