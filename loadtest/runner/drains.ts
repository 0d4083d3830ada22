import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from '../scenarios/plan.ts';
import type { Target } from './target.ts';

/** Between two looks whether the first connection is there. */
const LOOK_MS = 200;

/**
 * Drains a target at its plan's time, which counts from the first connection, as its phases do.
 *
 * @param hasBegun whether there has been one
 * @param tell says what happens, and when it cannot be done here
 */
export async function drainOnTime(
  { drain }: Plan,
  target: Pick<Target, 'name' | 'drain'>,
  hasBegun: () => boolean,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!drain) return;
  while (!signal.aborted && !hasBegun()) await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  await sleep(drain.atS * 1_000, undefined, { signal }).catch(() => {});
  if (signal.aborted) return;
  if (!target.drain) {
    tell(`${target.name} is not ours to drain: deploy it or restart it now, and its clients come back`);
    return;
  }
  tell(`draining ${target.name}`);
  await target.drain();
  tell(`${target.name} is drained, and there again`);
}
