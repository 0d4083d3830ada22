import type { Flag } from '../../flags/flag.ts';
import { type Seen, type StaleReason, staleReasons } from '../../flags/stale.ts';
import { mapConcurrently } from '../../runtime/mapConcurrently.ts';
import { readServiceTables } from '../table/serviceTables.ts';
import type { Table } from '../table/table.ts';
import { DROPPED, NO_VARIATION, UNKNOWN, Usage, type UsageHour } from './usage.ts';

const DAY_MS = 86_400_000;

/** A flag that may not be needed any more. */
export interface StaleFlag {
  readonly key: string;
  readonly reasons: readonly StaleReason[];
  /** The last hour with an evaluation in the period. */
  readonly lastSeen?: string;
}

/** Evaluations of a flag in a period. */
export interface FlagUsage {
  /** Newest first. Hours without evaluations are left out. */
  readonly hours: readonly UsageHour[];
  /** Number of evaluations in the period. */
  readonly total: number;
  /** By variation id, over the period. */
  readonly counts: ReadonlyMap<string, number>;
  /** The last hour with an evaluation, also before the period. Absent if there is none. */
  readonly lastSeen?: string;
  /** When the counts of the environment started, in unix milliseconds. Absent if nothing was counted. */
  readonly startedAt?: number;
  /** Evaluations of unknown flags and variations of the environment in the period, and those that were not counted. */
  readonly unknown: number;
  readonly dropped: number;
}

/**
 * Opens the usage table of the service that runs on a flags table.
 *
 * @returns undefined if the service has not recorded one
 */
export async function openUsage(flags: Table): Promise<Usage | undefined> {
  const name = (await readServiceTables(flags))?.usage;
  return name === undefined ? undefined : new Usage({ ...flags, name });
}

/** The start of a period of whole days in UTC that ends today. @param now unix milliseconds */
export function startOfPeriod(now: number, days: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS - (days - 1) * DAY_MS;
}

/** Reads the evaluations of a flag. @param from start of the period, unix milliseconds */
export async function readFlagUsage(usage: Usage, envId: string, flagKey: string, from: number): Promise<FlagUsage> {
  const [hours, others, newest, startedAt] = await Promise.all([
    Array.fromAsync(usage.hours(envId, flagKey, from)),
    Array.fromAsync(usage.hours(envId, undefined, from)),
    firstOf(usage.hours(envId, flagKey, 0)),
    usage.startedAt(envId),
  ]);
  const counts = sumOf(hours);
  const ofEnvironment = sumOf(others);
  return {
    hours,
    counts,
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
    unknown: ofEnvironment.get(UNKNOWN) ?? 0,
    dropped: ofEnvironment.get(DROPPED) ?? 0,
    ...(newest ? { lastSeen: newest.hour } : {}),
    ...(startedAt === undefined ? {} : { startedAt }),
  };
}

/** Sums of hours, by variation id. */
export function sumOf(hours: readonly UsageHour[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { counts } of hours) {
    for (const [id, count] of counts) sums.set(id, (sums.get(id) ?? 0) + count);
  }
  return sums;
}

/**
 * The flags that may not be needed any more ({@link staleReasons}).
 *
 * @param from start of the period, unix milliseconds
 * @param isPartial true if there may be evaluations that are not counted
 * @returns undefined if there are no counts since the start of the period, and none of this environment at all
 */
export async function findStale(
  usage: Usage,
  envId: string,
  flags: readonly Flag[],
  from: number,
  isPartial = false,
): Promise<readonly StaleFlag[] | undefined> {
  const found = await mapConcurrently(flags, async (flag) => {
    const seen = await seenOf(usage, envId, flag, from);
    const { lastSeen } = seen;
    const reasons = staleReasons(flag, { ...seen, isPartial }, from);
    const stale = reasons.length === 0 ? undefined : { key: flag.key, reasons, ...(lastSeen && { lastSeen }) };
    return { stale, isSeen: lastSeen !== undefined };
  });
  const isAnySeen = found.some(({ isSeen }) => isSeen);
  if (!isAnySeen && !(await firstOf(usage.hours(envId, undefined, from)))) return undefined;
  return found.flatMap(({ stale }) => stale ?? []);
}

/** Reads hours until two variations are known. */
async function seenOf(usage: Usage, envId: string, flag: Flag, from: number): Promise<Seen> {
  let lastSeen: string | undefined;
  const variations = new Set<string>();
  for await (const { hour, counts } of usage.hours(envId, flag.key, from)) {
    lastSeen ??= hour;
    for (const id of counts.keys()) if (id !== NO_VARIATION) variations.add(id);
    if (variations.size > 1 || flag.isArchived) break;
  }
  return { variations, ...(lastSeen && { lastSeen }) };
}

async function firstOf(hours: AsyncIterable<UsageHour>): Promise<UsageHour | undefined> {
  for await (const hour of hours) return hour;
  return undefined;
}
