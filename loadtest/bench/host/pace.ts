/** How many of `total` evenly spaced events are due after some time. */
export function dueBy(elapsedMs: number, ratePerSecond: number, total: number): number {
  return Math.min(total, Math.floor((elapsedMs / 1_000) * ratePerSecond) + 1);
}

/** The value below which a share of all values lies; NaN when there is none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** What a generator says of itself. */
export interface GeneratorHealth {
  /** New connections a second: what was asked for, and what was reached. */
  readonly intended: number;
  readonly achieved: number;
  /** Share of one core. */
  readonly cpu: number;
  /** P99 of how late its event loop was, in milliseconds. */
  readonly loopDelayMs: number;
}

/** Why a run says more of its generator than of the server. @returns undefined where it does not */
export function bottleneckOf({ intended, achieved, cpu, loopDelayMs }: GeneratorHealth): string | undefined {
  if (achieved < 0.98 * intended) return `opened ${Math.round(achieved)} a second in place of ${intended}`;
  if (cpu > 0.95) return `used ${Math.round(cpu * 100)} % of its core`;
  if (loopDelayMs > 50) return `was up to ${Math.round(loopDelayMs)} ms late`;
  return undefined;
}
