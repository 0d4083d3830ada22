/** How many of `total` evenly spaced events are due after some time. */
export function dueBy(elapsedMs: number, ratePerSecond: number, total: number): number {
  return Math.min(total, Math.floor((elapsedMs / 1_000) * ratePerSecond) + 1);
}
