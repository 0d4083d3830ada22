import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Service, ServiceName } from '../service.ts';

/** Minimum and maximum run time and down time of a process, in milliseconds. */
const LIVES_MS = [1_500, 30_000] as const;
const AWAY_MS = [0, 1_500] as const;

/** The end of a process: killed, or drained. */
export type End = 'SIGKILL' | 'SIGTERM';

/** The ends of each service's processes, in turn. */
const ENDS: Readonly<Record<ServiceName, readonly [End, ...End[]]>> = {
  host: ['SIGKILL'],
  gateway: ['SIGKILL'],
  balanced: ['SIGKILL', 'SIGTERM'],
};

/**
 * Ends and starts a service's process repeatedly until the signal. Then the process runs. Most run times
 * are short, so that many connections, answers and deliveries are cut off. Some are long enough for all pushes.
 *
 * @param longestMs maximum run time
 * @throws when it does not start again
 */
export async function killRepeatedly(
  service: Service,
  random: Random,
  longestMs: number,
  signal: AbortSignal,
  onEnd: (end: End) => void,
): Promise<void> {
  const ends = ENDS[service.name];
  for (let n = 0; ; n++) {
    const [least, most] = LIVES_MS;
    const life = Math.min(longestMs, least + (most - least) * random.next() ** 2);
    await sleep(life, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const end = ends[n % ends.length] ?? ends[0];
    await service.end(end);
    onEnd(end);
    await sleep(random.between(...AWAY_MS));
    await service.start();
  }
}
