/** How times are spread over connections, in milliseconds; `all` is the last of them. */
export interface Spread {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly all: number;
}

/**
 * Sums times up.
 *
 * @param times of connections; NaN where one was not reached
 * @param of how many were to be reached: a half is when a half of these is; infinite where too few were
 */
export function spreadOf(times: Float64Array, of: number): Spread {
  const reached = times.filter((time) => !Number.isNaN(time)).sort();
  const at = (share: number) => reached[Math.max(0, Math.ceil(of * share) - 1)] ?? Number.POSITIVE_INFINITY;
  return { count: reached.length, p50: at(0.5), p99: at(0.99), all: at(1) };
}
