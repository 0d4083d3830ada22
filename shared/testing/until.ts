import { setTimeout as sleep } from 'node:timers/promises';

/** Mutation testing sets a lower value, in milliseconds, because many of its tests must fail. */
const { TEST_TIMEOUT_MS } = process.env;

interface Timeouts {
  /** How long to wait for a message. */
  readonly message: number;
  /** How long to wait for a condition. */
  readonly condition: number;
}

let current: Timeouts = { message: Number(TEST_TIMEOUT_MS ?? 15_000), condition: Number(TEST_TIMEOUT_MS ?? 20_000) };

/** Timeouts of tests, in milliseconds. */
export function timeouts(): Timeouts {
  return current;
}

/** Sets timeouts of this process or test file: longer for slow starts, shorter for expected failures. */
export function setTimeouts(changed: Partial<Timeouts>): void {
  current = { ...current, ...changed };
}

/**
 * Waits until a condition is true.
 *
 * @param read returns the value to test
 * @param isSo the condition; by default, the value is truthy
 * @throws with the last value if the condition is not true within the timeout
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
