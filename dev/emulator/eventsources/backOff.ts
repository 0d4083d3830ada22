/** The pause before the `retry`-th retry (1, 2, …), in milliseconds. */
export type BackOff = (retry: number) => number;

/** Doubles from 100 ms to at most 30 s. AWS does not publish its own schedule. */
export const exponentialBackOff: BackOff = (retry) => Math.min(30_000, 100 * 2 ** (retry - 1));
