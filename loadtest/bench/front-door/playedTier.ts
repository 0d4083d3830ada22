import { runTier, type TierDeps } from '../../../functions/tier/runTier.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { openConnections } from '../../../shared/store/connections/connections.ts';
import { readServiceTables } from '../../../shared/store/table/serviceTables.ts';
import { countTiers } from '../../../shared/store/tiers.ts';
import type { MachineState } from '../../../shared/tier/machineHealth.ts';
import { HINT_KEY } from '../../../shared/tier/tier.ts';
import type { MeasuredTable } from '../../machine/flagFlips.ts';

const MINUTE_MS = 60_000;
/** Minutes within which the machine reaches each state: 30 quiet ones, and those between two changes. */
const MOST_MINUTES = 60;
/** Minutes within which a machine that was started gets handshakes. */
const RECOVERY_MINUTES = 6;

/**
 * The function tier with a stopped machine. EC2 is played: it starts and stops the host. The clock of the decisions advances by a minute
 * with each call.
 *
 * @param hints what CloudFront reads
 * @throws Error if the service has no connections table
 */
export async function playTier(
  store: MeasuredTable,
  limits: TierDeps['limits'],
  host: Readonly<Record<'start' | 'stop', () => Promise<unknown>>>,
  hints: Map<string, string>,
) {
  let now = Date.now();
  let machine: MachineState = { state: 'stopped', launchedAt: now, isImpaired: false };
  const { table } = store;
  const names = await readServiceTables(table);
  if (!names) throw new Error('the service has not recorded its connections table');
  const connections = openConnections({ client: table.client, ...names }, systemEffects);
  /** The times of changes of the tier. */
  const changes: number[] = [];
  /** The call that the machine obeys. EC2 ignores a second one. */
  let called: 'start' | 'stop' | undefined;
  const deps: TierDeps = {
    tiers: store.tiers,
    // The host runs by another clock.
    records: {
      heartbeat: async () => now,
      read: () => store.machine.read(),
      write: (record) => store.machine.write(record),
    },
    machine: {
      describe: async () => machine,
      change: async (action) => {
        called = action;
        machine = { ...machine, state: 'changing' };
      },
    },
    count: (most) => countTiers(store, connections, most),
    limits,
    writeHint: async (tier) => void hints.set(HINT_KEY, tier),
    now: () => now,
    pause: systemEffects.pause,
    putEvents: async (events) => void changes.push(...events.map(({ time }) => time)),
  };
  return {
    connections: () => countTiers(store, connections, Number.POSITIVE_INFINITY),
    /** The number of changes of the tier that followed another one within 3 minutes. */
    hasty: () => changes.filter((at, n) => n > 0 && at - (changes[n - 1] ?? 0) < 3 * MINUTE_MS).length,
    /**
     * Lets minutes elapse, with two calls at the same time in each, until the machine has changed.
     *
     * @param onChange called before the host starts or stops @returns the number of minutes
     */
    async reach(state: 'running' | 'stopped', onChange = () => {}): Promise<number> {
      for (let minutes = 1; minutes <= MOST_MINUTES; minutes++) {
        now += MINUTE_MS;
        await Promise.all([runTier(deps), runTier(deps)]);
        if (!called) continue;
        onChange();
        await host[called]();
        machine =
          called === 'start' ? { ...machine, state: 'running', launchedAt: now } : { ...machine, state: 'stopped' };
        called = undefined;
        if (machine.state !== state) continue;
        // The hint follows when the machine has recovered.
        for (let more = 0; more < RECOVERY_MINUTES; more++) {
          now += MINUTE_MS;
          await runTier(deps);
        }
        return minutes;
      }
      throw new Error(`the machine is ${machine.state} after ${MOST_MINUTES} minutes, and not ${state}`);
    },
  };
}
