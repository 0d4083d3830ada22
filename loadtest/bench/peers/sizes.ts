import { withCpu } from '../../../dev/support/usage.ts';
import { median, quantile } from '../../../shared/statistics/quantile.ts';
import type { EmulatorProcess } from '../../machine/emulatorProcess.ts';
import { findBottlenecks } from '../../measure/bottlenecks.ts';
import { GENERATOR_LIMITS, withGenerators } from '../../testbed/testbed.ts';
import { round } from '../benchmark.ts';
import { changeAgain } from './changes.ts';
import { FULL, warmUp } from './measurePeer.ts';
import type { Peer, PeerServer } from './peer.ts';
import { hold, measureScale, SCALES } from './scale.ts';

/** FeatBit's rates of new connections a second. */
const RATES = [1_000, 1_100, 1_200];
const RAMP_SECONDS = 20;
/** A process can open at most 20,000 files on our machine. */
const MOST_CONNECTIONS = 18_000;
const HELD = [5_000, 10_000, MOST_CONNECTIONS];
const CHANGED = [10_000, MOST_CONNECTIONS];
const CHANGES = { changes: 30, warmUp: 20 };

/** How many sizes are measured. */
export const SIZES = RATES.length + HELD.length + CHANGED.length + SCALES;

/** Measures a peer at each size, each time on a new and warm server. @returns the figures, and why some are not valid */
export async function measureSizes(peer: Peer, emulator: EmulatorProcess, say: (text: string) => void) {
  const failed: string[] = [];
  const each = async <T>(
    sizes: readonly number[],
    what: string,
    use: (size: number, server: PeerServer) => Promise<T>,
  ) => {
    const found: T[] = [];
    for (const size of sizes) {
      say(`${peer.name}, ${size} ${what}`);
      const server = await peer.start(emulator, 5);
      try {
        await warmUp(server, FULL.warmUpMs);
        found.push(await use(size, server));
      } finally {
        await server.stop();
      }
    }
    return found;
  };
  const storms = await each(RATES, 'new connections a second', async (rate, { target, pid }) => {
    const count = Math.min(MOST_CONNECTIONS, rate * RAMP_SECONDS);
    const [load, cpu] = await withGenerators(target, 1, ([generator]) =>
      withCpu([pid], generator.ask('storm', { rate, count })),
    );
    for (const why of [...findBottlenecks(load, GENERATOR_LIMITS), ...load.reasons])
      failed.push(`${rate} a second: ${why}`);
    const { sync, errors, achieved } = load;
    return { rate, opened: round(achieved), p50Ms: round(sync.p50), p99Ms: round(sync.p99), cpu: round(cpu), errors };
  });
  const held = await each(HELD, 'connections held', async (connections, { target, pid }) => {
    return withGenerators(target, 1, async (generators) => {
      const { cpu, unanswered, errors } = await hold(generators, [pid], { rate: 1_000, count: connections });
      if (unanswered > 0 || errors > 0)
        failed.push(`${connections} held: ${unanswered} pings without answer, ${errors} errors`);
      return { connections, cpu };
    });
  });
  const changes = await each(CHANGED, 'connections, a change', (connections, { target, change }) =>
    withGenerators(target, 1, async ([generator]) => {
      await generator.ask('storm', { rate: 1_000, count: connections });
      const { fromAcknowledged } = await changeAgain(generator, connections, change ?? Promise.reject, CHANGES);
      if (fromAcknowledged.length < CHANGES.changes) failed.push(`a change did not reach all ${connections}`);
      return { connections, p50Ms: round(median(fromAcknowledged)), p99Ms: round(quantile(fromAcknowledged, 0.99)) };
    }),
  );
  return { storms, held, changes, scale: await measureScale(say, failed), failed };
}
