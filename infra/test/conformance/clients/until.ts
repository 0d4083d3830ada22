import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from './patience.ts';

/**
 * Waits until something is so.
 *
 * @throws with the last value when it does not come to be
 */
export async function until<T>(read: () => T | Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  for (const end = Date.now() + patience.condition; ; await sleep(10)) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > end)
      throw new Error(`did not come to be within ${patience.condition} ms; last: ${JSON.stringify(value)}`);
  }
}
