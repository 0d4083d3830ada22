import { Option } from 'commander';
import { parsePlannedTime } from '../shared/flags/timestamp.ts';
import type { ReleasePlan } from '../shared/store/releasePlan.ts';
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

/** A session that stores changes of flags and segments as plans. @param time the value of `--at` */
export function scheduleChanges<S extends Target>(session: S, time: string): S & { readonly schedule: Schedule } {
  if (/^\d+$/.test(time))
    throw new UsageError(`"${time}" is not a time; for the position of a rule, write --position ${time}`);
  const now = session.store.effects.now();
  const at = parsePlannedTime(time, now);
  const plans: ReleasePlan[] = [];
  const documents = session.store.plans.scheduled(at, now, (created) => plans.push(...created));
  return { ...session, store: { ...session.store, documents }, schedule: { at, plans } };
}
