import type { Effects } from './effects.ts';

/** When a step that failed is tried again. */
interface RetryOptions {
  /** Milliseconds to wait after attempt `n`, counted from 1; undefined: that was the last one. */
  readonly pauseMs: (n: number) => number | undefined;
  /** No attempt begins after it, by the clock of the effects; none unless given. */
  readonly deadlineMs?: number;
  /** Tells an error that may pass from one that will not; each may pass unless given. */
  readonly isTemporary?: (error: unknown) => boolean;
}

/**
 * Tries a step again until it succeeds or the time for it has ended.
 *
 * @param effects clock and waiting
 * @throws what the last attempt threw
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

/** A pause that is longer or shorter by up to half, so that many do not come back at once. */
export function spread({ random }: Pick<Effects, 'random'>, ms: number): number {
  return ms * (0.5 + random());
}

/** Pauses of {@link retryUntil} in milliseconds; the last one is repeated. */
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
