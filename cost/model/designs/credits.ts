/**
 * Processor credits of a t2.micro: one is a core for a minute. It earns six an hour, so it may use a tenth of its core
 * for ever, keeps 144 at most, and starts with 30.
 *
 * Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/burstable-credits-baseline-concepts.html
 */
export const T2_MICRO_CREDITS = { baseline: 0.1, earnedAnHour: 6, most: 144, atLaunch: 30 } as const;

/** Cores that a t4g.micro may use for ever: a tenth of each of its two. By default, AWS charges for what it uses beyond that. */
export const T4G_MICRO_BASELINE = 0.2;

/**
 * Hours until a t2.micro in standard mode has used up its credits, and is held to its baseline.
 *
 * @param cores that are used all the time, as a share of its core
 * @param credits that it begins with
 * @returns Infinity for a load it can bear for ever
 */
export function hoursUntilThrottled(cores: number, credits: number = T2_MICRO_CREDITS.most): number {
  const used = Math.min(1, cores) * 60 - T2_MICRO_CREDITS.earnedAnHour;
  return used <= 0 ? Number.POSITIVE_INFINITY : credits / used;
}

/**
 * Core-hours of a day beyond what machines earn in it, which unlimited mode charges for. What is earned in quiet hours covers
 * busy ones: a day's earnings are just what can be kept.
 *
 * @param coresByHour used by all machines in each hour
 * @param machineHours that they run in the day
 * @param baseline cores that a machine may use for ever
 */
export function surplusHours(
  coresByHour: readonly number[],
  machineHours: number,
  baseline: number = T2_MICRO_CREDITS.baseline,
): number {
  const used = coresByHour.reduce((sum, cores) => sum + cores, 0);
  return Math.max(0, used - machineHours * baseline);
}
