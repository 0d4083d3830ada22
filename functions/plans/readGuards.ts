import type { GuardState, ReadGuards } from '../../shared/plans/planUpdate.ts';
import type { ReleasePlan } from '../../shared/plans/releasePlan.ts';
import type { Alarm } from '../../shared/runtime/alarms.ts';
import { includesFlag } from '../../shared/store/plans/guardedPlans.ts';
import { isAccessDenied, withoutArns } from '../../shared/store/table/permission.ts';
import type { Table } from '../../shared/store/table/table.ts';
import type { TaggedAlarms } from './taggedAlarms.ts';

/** Dependencies of reading guards. */
interface ReadGuardsDeps {
  readonly table: Table;
  readonly readAlarms: (names: readonly string[]) => Promise<readonly Alarm[]>;
  readonly readTaggedAlarms: () => Promise<TaggedAlarms>;
}

/**
 * Creates the reader of guards for one tick. It reads the tags of alarms at most once, and only if a step is due. If tags cannot be read, a plan
 * without known guards is clear.
 */
export function createReadGuards({ table, readAlarms, readTaggedAlarms }: ReadGuardsDeps): ReadGuards {
  let tagged: Promise<TaggedAlarms> | undefined;

  async function guardsOf({ guards = [], kind, envId, documentId }: ReleasePlan): Promise<string[]> {
    if (kind !== 'flag') return [...guards];
    tagged ??= readTaggedAlarms();
    const { alarms, failure } = await tagged;
    const names = new Set(guards);
    for (const { name, targets } of alarms) {
      if (await includesFlag(table, targets, envId, documentId)) names.add(name);
    }
    if (failure && names.size > 0) throw failure;
    return [...names];
  }

  return async (plan): Promise<GuardState> => {
    try {
      const names = await guardsOf(plan);
      if (names.length === 0) return { kind: 'clear' };
      const states = new Map((await readAlarms(names)).map(({ name, state }) => [name, state]));
      const alarm = names.find((name) => states.get(name) === 'ALARM');
      if (alarm !== undefined) return { kind: 'alarm', alarm };
      // An alarm that is only known by its tag was deleted. Its tags can be listed for some time.
      const missing = plan.guards?.find((name) => !states.has(name));
      if (missing === undefined) return { kind: 'clear' };
      return { kind: 'unknown', reason: `guard "${missing}" does not exist; create the alarm, or abort the plan` };
    } catch (error) {
      if (!isAccessDenied(error)) throw error;
      return { kind: 'unknown', reason: `its guards cannot be read: ${withoutArns(error.message)}` };
    }
  };
}
