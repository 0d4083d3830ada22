import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Service } from '../service.ts';

/** For how long a process is let live, and how long it stays away: milliseconds, at least and at most. */
const LIVES_MS = [1_500, 30_000] as const;
const AWAY_MS = [0, 1_500] as const;

/**
 * Kills a service again and again, and starts it again, until it is told to stop; then it is there. Most lives are short,
 * so that many connections, answers and deliveries are cut off; some are long enough for all that follows to be seen.
 *
 * @param longestMs no life is longer
 * @throws when it does not start again
 */
export async function killAgain(
  service: Service,
  random: Random,
  longestMs: number,
  signal: AbortSignal,
  onKill: () => void,
): Promise<void> {
  for (;;) {
    const [least, most] = LIVES_MS;
    const life = Math.min(longestMs, least + (most - least) * random.next() ** 2);
    await sleep(life, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await service.kill();
    onKill();
    await sleep(random.between(...AWAY_MS));
    await service.start();
  }
}
