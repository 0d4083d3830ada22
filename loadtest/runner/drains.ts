import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadProfile } from '../scenarios/loadProfile.ts';
import type { Target } from './target.ts';

/** Time between two checks for the first connection. */
const LOOK_MS = 200;

/**
 * Drains a target at the time in its plan, counted from the first connection.
 *
 * @param isBegun returns true after the first connection
 * @param say prints progress, and asks the operator to drain a target that the load test cannot drain
 */
export async function drainOnTime(
  { drain }: LoadProfile,
  target: Pick<Target, 'name' | 'drain'>,
  isBegun: () => boolean,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!drain) return;
  while (!signal.aborted && !isBegun()) await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  await sleep(drain.atS * 1_000, undefined, { signal }).catch(() => {});
  if (signal.aborted) return;
  if (!target.drain) {
    say(`${target.name} cannot be drained by this command: deploy or restart it now`);
    return;
  }
  say(`draining ${target.name}`);
  await target.drain();
  say(`${target.name} is drained, and runs again`);
}
