import { isOpen } from '../../plans/releasePlan.ts';
import { textIn } from '../table/attributes.ts';
import { UnreadablePlan } from '../table/errors.ts';
import { keys } from '../table/keys.ts';
import { pagesUnder, readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { deleteItem } from '../table/write.ts';
import { readPlan } from './planItem.ts';

/** An open plan by its ids. */
export interface PlanName {
  readonly envId: string;
  readonly planId: string;
}

/** An open plan, and the key of its flag. Without the key, it changes a segment. */
export interface OpenPlan extends PlanName {
  readonly flag: string | undefined;
}

/**
 * Finds the open plans that name an alarm as their guard. Removes entries of plans that have ended or are damaged, which operators may not delete.
 *
 * @param open plans that are found first: an operator may have written any number of other entries
 * @param onFailure receives why a plan cannot be read. All others are found
 */
export async function* findGuardedPlans(
  table: Table,
  alarm: string,
  open: readonly PlanName[],
  onFailure: (error: Error) => void,
): AsyncGenerator<PlanName> {
  const { pk } = keys.guard(alarm, '', '');
  const pages = await Array.fromAsync(pagesUnder(table, pk, { ProjectionExpression: 'sk' }));
  const entries = pages.flat().map((item) => textIn(item, 'sk'));
  const known = new Set(open.map(({ envId, planId }) => `${envId}#${planId}`));
  for (const entry of [...entries.filter((each) => known.has(each)), ...entries.filter((each) => !known.has(each))]) {
    const [envId = '', planId = ''] = entry.split('#');
    const fail = (cause: Error) => {
      onFailure(new Error(`plan ${planId} of environment ${envId} cannot be read: ${cause.message}`, { cause }));
    };
    try {
      const isFound = await isGuarded(table, { envId, planId }, alarm).catch((error) => {
        if (!(error instanceof UnreadablePlan)) throw error;
        // Its entry is removed, so that entries of damaged plans do not add up.
        fail(error);
        return false;
      });
      if (isFound) yield { envId, planId };
      else await deleteItem(table, { pk, sk: { S: entry } });
    } catch (error) {
      fail(error as Error);
    }
  }
}

async function isGuarded(table: Table, { envId, planId }: PlanName, alarm: string): Promise<boolean> {
  const plan = await readPlan(table, envId, planId);
  return plan !== undefined && isOpen(plan) && plan.guards?.includes(alarm) === true;
}

/**
 * Finds the open plans of all environments. Costs one read if there are none: the creation of a plan marks its environment. Removes the marks of
 * environments without open plans, because operators may not delete them.
 *
 * @param onFailure receives why the plans of an environment cannot be read. All others are found
 */
export async function findOpenPlans(table: Table, onFailure: (error: Error) => void): Promise<OpenPlan[]> {
  const found: OpenPlan[] = [];
  const { pk } = keys.planned('');
  for await (const marks of pagesUnder(table, pk)) {
    for (const { sk, revision = { N: '0' } } of marks) {
      const envId = sk?.S ?? '';
      try {
        const open = await openPlansOf(table, envId);
        found.push(...open);
        // A plan that is created meanwhile marks its environment with a new revision.
        const condition = 'revision = :revision OR attribute_not_exists(revision)';
        if (open.length === 0) await deleteItem(table, keys.planned(envId), { condition, values: { revision } });
      } catch (cause) {
        const reason = (cause as Error).message;
        onFailure(new Error(`the plans of environment ${envId} cannot be read: ${reason}`, { cause }));
      }
    }
  }
  return found;
}

/** Selects the plans of flags by `<environment>/<flag>`, where the environment is an id or a name. */
export async function selectPlansOfFlags(
  table: Table,
  open: readonly OpenPlan[],
  targets: readonly string[],
): Promise<PlanName[]> {
  const found: PlanName[] = [];
  for (const plan of open) {
    if (plan.flag !== undefined && (await includesFlag(table, targets, plan.envId, plan.flag))) found.push(plan);
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

async function openPlansOf(table: Table, envId: string): Promise<OpenPlan[]> {
  const found: OpenPlan[] = [];
  const open = {
    FilterExpression: 'isOpen = :open',
    ExpressionAttributeValues: { ':open': { BOOL: true } },
    ProjectionExpression: 'sk, target',
  };
  for await (const items of pagesUnder(table, keys.planCounter(envId).pk, open)) {
    for (const item of items) {
      found.push({ envId, planId: textIn(item, 'sk'), flag: /^flag "(.*)"$/.exec(textIn(item, 'target'))?.[1] });
    }
  }
  return found;
}
