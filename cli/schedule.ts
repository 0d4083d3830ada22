import { Option } from 'commander';
import { parseDuration, parsePlannedTime } from '../shared/flags/timestamp.ts';
import type { NewPlan } from '../shared/plans/newPlan.ts';
import type { ReleasePlan } from '../shared/plans/releasePlan.ts';
import { checkGuards } from '../shared/store/plans/guardCheck.ts';
import { UsageError } from './io.ts';
import type { Target } from './target.ts';

/** The plans that a command creates instead of writing its change. */
export interface Schedule {
  /** Unix milliseconds. */
  readonly at: number;
  readonly plans: readonly ReleasePlan[];
}

/** Option `--at` of commands that change something that exists. */
export const timeOption = (): Option =>
  new Option(
    '--at <time>',
    'make the change at this time: 2030-01-31T09:00+01:00, 2030-01-31T08:00Z, +30m, +2h or +1d',
  ).default('now');

/** Description of option `--guard` of commands that create plans. */
export const GUARD_HELP = 'CloudWatch alarm. When it is in ALARM, the plan is undone and paused';

/** Option `--watch` of commands that create plans. */
export const watchOption = (): Option =>
  new Option('--watch <duration>', 'how long guards watch the last step: 30s, 30m, 2h or 1d');

/** Values of the options for guards. */
export interface GuardOptions {
  readonly guard?: readonly string[];
  readonly watch?: string;
  readonly webhook?: true;
}

/**
 * Checks the guards of a new plan.
 *
 * @throws if an alarm does not exist, cannot be read, or is in ALARM
 */
export async function readGuardOptions(
  { readAlarms }: Target,
  { guard = [], watch, webhook }: GuardOptions,
): Promise<Pick<NewPlan, 'guards' | 'webhook' | 'watchMs'>> {
  if (watch !== undefined && guard.length === 0 && !webhook) {
    throw new UsageError('--watch needs a --guard, the alarm that undoes the plan, or --webhook of plan create');
  }
  const guarding = await checkGuards(readAlarms, { guards: guard, watch });
  return webhook ? { ...guarding, webhook: {} } : guarding;
}

/** A session that stores changes of flags and segments as plans. @param time the value of `--at` */
export async function scheduleChanges<S extends Target>(
  session: S,
  time: string,
  guarding: GuardOptions,
): Promise<S & { readonly schedule: Schedule }> {
  if (/^\d+$/.test(time))
    throw new UsageError(`"${time}" is not a time; for the position of a rule, write --position ${time}`);
  const now = session.store.effects.now();
  const at = parsePlannedTime(time, now);
  const plans: ReleasePlan[] = [];
  const documents = session.store.plans.scheduled(at, now, (created) => plans.push(...created), {
    ...(await readGuardOptions(session, guarding)),
    appends: true,
  });
  return { ...session, store: { ...session.store, documents }, schedule: { at, plans } };
}

/** A duration in milliseconds, or 0 for none. @throws {InvalidSyntax} as {@link parseDuration} */
export function durationOrNone(text: string): number {
  return text === '0' ? 0 : parseDuration(text);
}
