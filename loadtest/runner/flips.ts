import { setTimeout as sleep } from 'node:timers/promises';
import { envIdOfSecret } from '../../shared/protocol/secret.ts';
import { flipFlag, openTable } from '../machine/flagFlips.ts';
import type { Flip } from '../results/runFiles.ts';
import { WrongArguments } from './outcome.ts';
import type { Target } from './target.ts';

/** A schedule of flips of a flag. */
export interface FlipSchedule {
  readonly flag: string;
  readonly count: number;
  readonly everyMs: number;
}

/**
 * Flips a flag on a schedule, like `npm run flags -- toggle`.
 *
 * @throws Error if the target's table cannot be written, or has no such flag
 */
export async function flip(
  { table, clientKey }: Pick<Target, 'table' | 'clientKey'>,
  { flag, count, everyMs }: FlipSchedule,
  onFlip: (flip: Flip) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!table) throw new WrongArguments('push needs the target’s table, to flip a flag: give --table.');
  const envId = envIdOfSecret(clientKey);
  if (envId === undefined) throw new WrongArguments('the client key names no environment.');
  const store = openTable(table);
  const startedAt = Date.now();
  try {
    for (let n = 0; n < count && !signal.aborted; n++) {
      await sleep(Math.max(0, startedAt + n * everyMs - Date.now()), undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      onFlip(await flipFlag(store, envId, flag));
    }
  } finally {
    store.close();
  }
}
