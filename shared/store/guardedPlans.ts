import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { formatName } from '../flags/document.ts';
import { textIn } from './attributes.ts';
import { UnreadablePlan } from './errors.ts';
import { keys } from './keys.ts';
import { pagesUnder, readItem } from './read.ts';
import { isOpen, readPlan } from './releasePlan.ts';
import type { Table } from './table.ts';

/** An open plan by its ids. */
export interface PlanName {
  readonly envId: string;
  readonly planId: string;
}

/**
 * Finds the open plans that name an alarm as their guard. Removes entries of plans that have ended or are damaged, which operators may not delete.
 *
 * @param onFailure receives why a plan cannot be read. All others are found
 */
export async function findGuardedPlans(
  table: Table,
  alarm: string,
  onFailure: (error: Error) => void,
): Promise<PlanName[]> {
  const found: PlanName[] = [];
  const { pk } = keys.guard(alarm, '', '');
  for await (const items of pagesUnder(table, pk)) {
    for (const item of items) {
      const [envId = '', planId = ''] = textIn(item, 'sk').split('#');
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
        if (isFound) found.push({ envId, planId });
        else {
          const Key = { pk, sk: { S: textIn(item, 'sk') } };
          await table.client.send(new DeleteItemCommand({ TableName: table.name, Key }));
        }
      } catch (error) {
        fail(error as Error);
      }
    }
  }
  return found;
}

async function isGuarded(table: Table, { envId, planId }: PlanName, alarm: string): Promise<boolean> {
  const plan = await readPlan(table, envId, planId);
  return plan !== undefined && isOpen(plan) && plan.guards?.includes(alarm) === true;
}

/** Finds the open plans of flags by `<environment>/<flag>`, where the environment is an id or a name. */
export async function findPlansOfFlags(table: Table, targets: readonly string[]): Promise<PlanName[]> {
  if (targets.length === 0) return [];
  const found: PlanName[] = [];
  for await (const environments of pagesUnder(table, keys.environmentIndex('').pk)) {
    for (const environment of environments) {
      const envId = textIn(environment, 'sk');
      const flags = targets.flatMap((target) => flagIn(target, [envId, textIn(environment, 'name')]) ?? []);
      if (flags.length > 0) found.push(...(await openPlansOf(table, envId, flags)));
    }
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
  if (!targets.some((target) => target.endsWith(`/${flag}`))) return false;
  const item = await readItem(table, keys.environment(envId));
  return targets.some((target) => flagIn(target, [envId, item ? textIn(item, 'name') : envId]) === flag);
}

/** The key in `<environment>/<flag>`, if the environment has one of these names. */
function flagIn(target: string, environments: readonly string[]): string | undefined {
  const environment = environments.find((name) => target.startsWith(`${name}/`));
  return environment === undefined ? undefined : target.slice(environment.length + 1);
}

async function openPlansOf(table: Table, envId: string, flags: readonly string[]): Promise<PlanName[]> {
  const names = new Set(flags.map((id) => formatName({ kind: 'flag', id })));
  const found: PlanName[] = [];
  const open = {
    FilterExpression: 'isOpen = :open',
    ExpressionAttributeValues: { ':open': { BOOL: true } },
    ProjectionExpression: 'sk, target',
  };
  for await (const items of pagesUnder(table, keys.planCounter(envId).pk, open)) {
    for (const item of items) if (names.has(textIn(item, 'target'))) found.push({ envId, planId: textIn(item, 'sk') });
  }
  return found;
}
