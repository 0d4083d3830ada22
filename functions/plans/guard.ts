import { isJsonObject } from '../../shared/flags/reader.ts';
import type { Alarm } from '../../shared/runtime/alarms.ts';
import { fireGuard } from '../../shared/store/plans/applyPlan.ts';
import { findOpenPlans, type OpenPlan, selectPlansOfFlags } from '../../shared/store/plans/guardedPlans.ts';
import type { Table } from '../../shared/store/table/table.ts';
import { log } from '../telemetry/log.ts';

/** Dependencies of the guard. */
interface GuardDeps {
  readonly table: Table;
  readonly readAlarms: (names: readonly string[]) => Promise<readonly Alarm[]>;
  /** The flags that an alarm guards by its tag, each as `<environment>/<flag>`. */
  readonly readTargets: (arn: string) => Promise<readonly string[]>;
}

/**
 * Creates the handler of events of alarms. It takes only the name from the event, and reads the state and the tags of the alarm if a plan is
 * open. It undoes the steps of all plans that the alarm guards. It throws if one of them failed, so that Lambda calls it again.
 */
export function createGuard({ table, readAlarms, readTargets }: GuardDeps) {
  return async (event: unknown): Promise<void> => {
    const name = alarmName(event);
    // A plan that fails keeps the alarm from no other plan.
    const failures: Error[] = [];
    const onFailure = (error: Error) => failures.push(error);
    // Each alarm of the account causes an event, and the account's tools share the quotas of CloudWatch.
    const open = await findOpenPlans(table, onFailure);
    if (open.length === 0 && failures.length === 0) return;
    const [alarm] = name === undefined ? [] : await readAlarms([name]);
    if (alarm?.state !== 'ALARM') {
      log.info('the alarm of the event is not in ALARM', { alarm: name });
      return;
    }
    const naming = open.filter(({ guards }) => guards?.includes(alarm.name));
    await fireAll(table, alarm, naming).catch(onFailure);
    await readTargets(alarm.arn)
      .then((targets) => selectPlansOfFlags(table, open, targets))
      .then((plans) => fireAll(table, alarm, plans))
      .catch(onFailure);
    if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('; '), { cause: failures[0] });
  };
}

async function fireAll(table: Table, { name }: Alarm, plans: readonly OpenPlan[]): Promise<void> {
  let failures = 0;
  for (const { envId, id } of plans) {
    const details = { alarm: name, envId, planId: id };
    try {
      await fireGuard(table, envId, id, { kind: 'alarm', name });
      log.info('guard fired', details);
    } catch (error) {
      failures++;
      log.error('guard failed and will be retried', { ...details, error: error as Error });
    }
  }
  if (failures > 0) throw new Error(`guard "${name}" failed for ${failures} of ${plans.length} plans`);
}

function alarmName(event: unknown): string | undefined {
  const detail = isJsonObject(event) ? event['detail'] : undefined;
  const name = isJsonObject(detail) ? detail['alarmName'] : undefined;
  return typeof name === 'string' ? name : undefined;
}
