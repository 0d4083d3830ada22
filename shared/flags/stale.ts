import type { Flag } from './flag.ts';
import type { Rollout } from './rule.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';

/** Why a flag may not be needed any more. */
export const STALE_REASONS = {
  'never-evaluated': 'never evaluated',
  'one-variation': 'one variation only',
  'fully-rolled-out': 'fully rolled out',
  'archived-but-evaluated': 'archived but still evaluated',
} as const;
export type StaleReason = keyof typeof STALE_REASONS;

/** Days without a change after which a flag can be stale. */
export const STALE_DAYS = 30;

/** The evaluations of a flag in a period. */
export interface Seen {
  /** The last hour with an evaluation, such as `2026-11-26T03` (UTC). */
  readonly lastSeen?: string;
  /** The ids of the served variations. Two are enough. */
  readonly variations: ReadonlySet<string>;
  /** True if there may be evaluations that are not counted. */
  readonly isPartial?: boolean;
}

/**
 * Why a flag is stale. A flag that has changed in the period is not, unless it is archived. A change of a segment that it refers to counts too.
 *
 * @param from start of the period, unix milliseconds
 */
export function staleReasons(flag: Flag, { lastSeen, variations, isPartial }: Seen, from: number): StaleReason[] {
  const changedAt = parseTimestamp(flag.updatedAt) ?? 0;
  if (flag.isArchived) {
    const isSeenSince = lastSeen !== undefined && lastSeen > formatTimestamp(changedAt).slice(0, lastSeen.length);
    return isSeenSince ? ['archived-but-evaluated'] : [];
  }
  if (changedAt >= from) return [];
  return [
    ...(lastSeen === undefined && !isPartial ? (['never-evaluated'] as const) : []),
    ...(variations.size === 1 && !isPartial ? (['one-variation'] as const) : []),
    ...(isFullyRolledOut(flag) ? (['fully-rolled-out'] as const) : []),
  ];
}

/** Whether a flag that is on serves one variation to all users. */
export function isFullyRolledOut({ isEnabled, targetUsers, rules, fallthrough }: Flag): boolean {
  if (!isEnabled) return false;
  const served = new Set([
    ...targetUsers.filter(({ keyIds }) => keyIds.length > 0).map(({ variationId }) => variationId),
    ...[...rules, fallthrough].flatMap(servedBy),
  ]);
  return served.size === 1 && servedBy(fallthrough).length > 0;
}

function servedBy({ variations }: Rollout): string[] {
  return variations.filter(({ rollout: [lower, upper] }) => upper > lower).map(({ id }) => id);
}

/** Says which evaluations counts do not include. @param functions that are known to evaluate flags without counts; five are named */
export function uncountedText(functions: readonly string[]): string {
  if (functions.length === 0)
    return 'Evaluations in functions with flagwire-provider are counted only if these report usage counts.';
  const names = functions.length > 5 ? [...functions.slice(0, 5), `${functions.length - 5} more`] : functions;
  const { 'never-evaluated': never, 'one-variation': one } = STALE_REASONS;
  return `Evaluations in ${names.join(', ')} are not counted: they use flagwire-provider without usage counts. So no flag is stale as "${never}" or "${one}".`;
}
