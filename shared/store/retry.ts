/** Pauses between attempts in milliseconds; the last one is repeated. */
const PAUSES_MS = [100, 300, 1_000, 3_000];

/**
 * Tries a step again, pausing longer and longer, until it succeeds or a time has come.
 *
 * @param deadlineMs unix milliseconds, or whatever `now` tells; no attempt begins after it
 * @param isTemporary tells an error that may pass from one that will not; it is thrown at once
 * @throws what the last attempt threw
 */
export async function retryUntil<T>(
  deadlineMs: number,
  step: () => Promise<T>,
  isTemporary: (error: unknown) => boolean = () => true,
  now: () => number = Date.now,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      const pause = (PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] as number) * (0.5 + Math.random());
      if (!isTemporary(error) || now() + pause > deadlineMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
