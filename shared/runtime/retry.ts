import type { Effects } from './effects.ts';

/** When to retry a failed step. */
interface RetryOptions {
  /** Milliseconds to wait after attempt `n`, counted from 1. Undefined: no further attempt. */
  readonly pauseMs: (n: number) => number | undefined;
  /** No attempt starts later, by the clock of the effects. No deadline by default. */
  readonly deadlineMs?: number;
  /** Whether an error may be temporary. By default every error may be. */
  readonly isTemporary?: (error: unknown) => boolean;
}

/**
 * Retries a step until it succeeds or its deadline passes.
 *
 * @param effects clock and timers
 * @throws the error of the last attempt
 */
export async function retry<T>(
  { now, pause }: Pick<Effects, 'now' | 'pause'>,
  step: () => Promise<T>,
  { pauseMs, deadlineMs = Number.POSITIVE_INFINITY, isTemporary = () => true }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      const wait = isTemporary(error) ? pauseMs(attempt) : undefined;
      if (wait === undefined || now() + wait > deadlineMs) throw error;
      await pause(wait);
    }
  }
}

/** Varies a pause by up to half, so that many clients do not retry at the same time. */
export function spread({ random }: Pick<Effects, 'random'>, ms: number): number {
  return ms * (0.5 + random());
}

/** Pauses of {@link retryUntil} in milliseconds. The last one repeats. */
const PAUSES_MS = [100, 300, 1_000, 3_000];

/** {@link retry} with growing pauses until a deadline. @param deadlineMs by the clock of the effects */
export function retryUntil<T>(
  effects: Pick<Effects, 'now' | 'random' | 'pause'>,
  deadlineMs: number,
  step: () => Promise<T>,
  isTemporary?: (error: unknown) => boolean,
): Promise<T> {
  const pauseMs = (n: number) => spread(effects, PAUSES_MS[Math.min(n, PAUSES_MS.length) - 1] as number);
  return retry(effects, step, { pauseMs, deadlineMs, ...(isTemporary && { isTemporary }) });
}
