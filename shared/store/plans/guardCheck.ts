import { parseDuration } from '../../flags/timestamp.ts';
import { type GuardChoice, GuardRefused, type NewPlan } from '../../plans/newPlan.ts';
import type { ReleasePlan } from '../../plans/releasePlan.ts';
import type { ReadAlarms } from '../../runtime/alarms.ts';
import { ownCommand } from '../../runtime/ownCommand.ts';
import { isAccessDenied, withoutArns } from '../table/permission.ts';

/**
 * Checks the guards of a new plan.
 *
 * @throws {GuardRefused} if an alarm does not exist, cannot be read, or is in ALARM
 */
export async function checkGuards(
  readAlarms: ReadAlarms,
  { guards: names = [], watch }: GuardChoice,
): Promise<Pick<NewPlan, 'guards' | 'watchMs'>> {
  const guards = [...new Set(names)];
  const watchMs = watch === undefined ? undefined : parseDuration(watch);
  await requireCalm(readAlarms, guards);
  return { guards, watchMs };
}

/**
 * Checks the guard that paused a plan, before the plan is resumed. A webhook has no state.
 *
 * @throws {GuardRefused} as {@link checkGuards}
 */
export async function checkFiredGuard(readAlarms: ReadAlarms, { state }: Pick<ReleasePlan, 'state'>): Promise<void> {
  if (state.kind !== 'paused' || state.guard === undefined || state.isWebhook) return;
  await requireCalm(readAlarms, [state.guard]);
}

async function requireCalm(readAlarms: ReadAlarms, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const alarms = await readAlarms(names).catch((error) => {
    if (!isAccessDenied(error)) throw error;
    throw new GuardRefused(
      `guards cannot be read: allow cloudwatch:DescribeAlarms for your AWS credentials (${withoutArns(error.message)})`,
    );
  });
  const states = new Map(alarms.map(({ name, state }) => [name, state]));
  for (const name of names) {
    const state = states.get(name);
    if (state === undefined) {
      throw new GuardRefused(
        `there is no CloudWatch alarm "${name}" in the region of the table; create it (with ${ownCommand('start')}: ${ownCommand('flags', 'alarm <name> OK')}), or name another guard`,
      );
    }
    if (state === 'ALARM') throw new GuardRefused(`guard "${name}" is in ALARM; wait until it is OK`);
  }
}
