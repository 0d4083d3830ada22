import type { Health } from './health.ts';

/** How many of `total` evenly spaced events are due after some time. */
export function dueBy(elapsedMs: number, ratePerSecond: number, total: number): number {
  return Math.min(total, Math.floor((elapsedMs / 1_000) * ratePerSecond) + 1);
}

/** The value below which a share of all values lies; NaN when there is none. */
export function quantile(values: readonly number[], share: number): number {
  return fromSorted(
    values.toSorted((a, b) => a - b),
    share,
  );
}

/** How values are spread. */
export interface Distribution {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Values at the shares of {@link SHARES}, for a chart. */
  readonly curve: readonly number[];
}

/** Shares of all values, ever finer towards the slowest. */
export const SHARES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 1] as const;

/** How values are spread, sorted once. */
export function distribution(values: readonly number[]): Distribution {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => fromSorted(sorted, share);
  return { p50: at(0.5), p99: at(0.99), max: at(1), curve: SHARES.map(at) };
}

/** New connections a second: what was asked for, and what was reached. */
interface Pace {
  readonly intended: number;
  readonly achieved: number;
}

/** Why a run says more of its generator than of the server. @returns undefined where it does not */
export function bottleneckOf({ intended, achieved, cpu, loopDelayMs }: Pace & Health): string | undefined {
  if (achieved < 0.98 * intended) return `opened ${Math.round(achieved)} a second in place of ${intended}`;
  if (cpu > 0.95) return `used ${Math.round(cpu * 100)} % of its core`;
  if (loopDelayMs > 50) return `was up to ${Math.round(loopDelayMs)} ms late`;
  return undefined;
}

function fromSorted(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
