import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningProcess } from '../../../dev/support/runningProcess.ts';
import type { Flip } from '../../results/runFiles.ts';
import type { Generator } from '../../testbed/testbed.ts';

/** Time between the arrival of a change and the next write. */
const PAUSE_MS = 300;
/** A change that has not reached all connections after this time is incomplete. */
const ARRIVAL_DEADLINE_MS = 10_000;
const CHECK_MS = 100;

/** Times in milliseconds until changes reached the last connection: from the write, and from its acknowledgement. */
export interface ChangeTimes {
  readonly fromWrite: number[];
  readonly fromAcknowledged: number[];
}

/** Changes a flag repeatedly. Each change starts after the last one has reached all connections. */
export async function changeAgain(
  generator: Generator,
  connections: number,
  write: () => Promise<Flip>,
  { changes, warmUp }: { readonly changes: number; readonly warmUp: number },
): Promise<ChangeTimes> {
  const times: ChangeTimes = { fromWrite: [], fromAcknowledged: [] };
  for (let n = -warmUp; n < changes; n++) {
    const { version, beganAt, acknowledgedAt } = await write();
    for (const end = performance.now() + ARRIVAL_DEADLINE_MS; performance.now() < end; await sleep(CHECK_MS)) {
      const arrival = (await generator.ask('arrivals', null)).find(({ updatedAt }) => updatedAt === version);
      if (arrival?.count !== connections) continue;
      if (n >= 0) times.fromWrite.push(arrival.lastAt - beganAt);
      if (n >= 0) times.fromAcknowledged.push(arrival.lastAt - acknowledgedAt);
      break;
    }
    // A random pause avoids a fixed phase to the host's polls.
    await sleep(PAUSE_MS * (0.8 + 0.4 * Math.random()));
  }
  return times;
}

/** Makes the bare server send a change, without a write or a read. */
export async function sendBare(process: RunningProcess): Promise<Flip> {
  const at = performance.timeOrigin + performance.now();
  const version = Math.ceil(at);
  await process.requests()('push', version);
  return { version, beganAt: at, acknowledgedAt: at };
}
