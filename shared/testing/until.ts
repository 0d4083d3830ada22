import { setTimeout as sleep } from 'node:timers/promises';

/** Mutation testing sets less, in milliseconds: many of its tests are meant to fail. */
const { TEST_TIMEOUT_MS } = process.env;

interface Timeouts {
  /** How long to wait for a message. */
  readonly message: number;
  /** How long to wait for a condition. */
  readonly condition: number;
}

let current: Timeouts = { message: Number(TEST_TIMEOUT_MS ?? 15_000), condition: Number(TEST_TIMEOUT_MS ?? 20_000) };

/** How long tests wait for what they expect, in milliseconds. */
export function timeouts(): Timeouts {
  return current;
}

/** Sets timeouts of this process, or of this test file: longer for slow starts, shorter where failures are expected. */
export function setTimeouts(changed: Partial<Timeouts>): void {
  current = { ...current, ...changed };
}

/**
 * Waits until a condition holds.
 *
 * @param read gives the value that the condition is about
 * @param isSo the condition; by default, that the value is truthy
 * @throws with the last value when the condition does not hold within the timeout
 */
export async function until<T>(read: () => T | Promise<T>, isSo: (value: T) => boolean = Boolean): Promise<T> {
  for (const end = Date.now() + current.condition; ; await sleep(5)) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > end)
      throw new Error(
        `The condition did not hold within ${current.condition} ms; last value: ${JSON.stringify(value)}`,
      );
  }
}
