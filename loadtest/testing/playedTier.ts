import { PlayedEc2 } from '../../functions/testing/playedEc2.ts';
import { Ec2Machine } from '../../functions/tier/ec2Machine.ts';
import { runTier, type TierDeps } from '../../functions/tier/runTier.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { openConnections } from '../../shared/store/connections/connections.ts';
import { readServiceTables } from '../../shared/store/table/serviceTables.ts';
import { countTiers } from '../../shared/store/tiers.ts';
import type { MeasuredTable } from '../machine/flagFlips.ts';
import { serveApi } from './apiServer.ts';

const MINUTE_MS = 60_000;
/** Minutes within which the machine reaches each state: 30 quiet ones, and those between two changes. */
const MOST_MINUTES = 60;

/**
 * The function tier with a stopped machine. EC2 is played. The clock of the decisions advances by a minute with each call.
 *
 * @param power starts and stops the host, as the machine does. @throws Error if the service has no connections table
 */
export async function playTier(
  store: MeasuredTable,
  limits: TierDeps['limits'],
  power: Readonly<Record<'start' | 'stop', () => Promise<unknown>>>,
) {
  let now = Date.now();
  const ec2 = new PlayedEc2('stopped', () => now);
  const endpoint = await serveApi((request, response) => ec2.answer(request, response));
  const target = {
    endpoint,
    region: 'eu-west-1',
    keys: async () => ({ accessKeyId: 'local', secretAccessKey: 'key' }),
  };
  const { table } = store;
  const names = await readServiceTables(table);
  if (!names) throw new Error('the service has not recorded its connections table');
  const connections = openConnections({ client: table.client, ...names }, systemEffects);
  /** The times of changes of the tier. */
  const changes: number[] = [];
  const deps: TierDeps = {
    tiers: store.tiers,
    machine: new Ec2Machine(target, PlayedEc2.instanceId, systemEffects),
    count: (most) => countTiers(store, connections, most),
    limits,
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
        if (ec2.state === 'pending' || ec2.state === 'stopping') onChange();
        if (ec2.state === 'pending') await power.start();
        if (ec2.state === 'stopping') await power.stop();
        ec2.settle();
        if (ec2.state === state) return minutes;
      }
      throw new Error(`the machine is ${ec2.state} after ${MOST_MINUTES} minutes, and not ${state}`);
    },
  };
}
