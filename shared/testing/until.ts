import { setTimeout as sleep } from 'node:timers/promises';

/** Who runs tests that are meant to fail, again and again, sets less for all of them, in milliseconds. */
const { PATIENCE_MS } = process.env;

/** How long tests wait for what is expected, in milliseconds. A suite that expects failures sets less. */
export const patience = { message: Number(PATIENCE_MS ?? 15_000), condition: Number(PATIENCE_MS ?? 20_000) };

/**
 * Waits until a condition holds.
 *
 * @param read gives the value that the condition is about
 * @param isSo the condition; by default, that the value is truthy
 * @throws with the last value when the condition does not hold within `patience.condition`
 */
export async function until<T>(read: () => T | Promise<T>, isSo: (value: T) => boolean = Boolean): Promise<T> {
  for (const end = Date.now() + patience.condition; ; await sleep(5)) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > end)
      throw new Error(
        `The condition did not hold within ${patience.condition} ms; last value: ${JSON.stringify(value)}`,
      );
  }
}
