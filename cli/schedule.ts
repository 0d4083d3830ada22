import { Option } from 'commander';
import { parsePlannedTime } from '../shared/flags/timestamp.ts';
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
  new Option('--watch <duration>', 'how long guards watch the last step: 30m, 2h or 1d');

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

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a duration into milliseconds. @throws {UsageError} if the text is not a duration */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d+)([smhd]?)$/.exec(text) ?? [];
  if (amount === undefined || (unit === '' && amount !== '0')) {
    throw new UsageError(`"${text}" is not a duration; write a number and s, m, h or d, such as 24h`);
  }
  return Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
}
