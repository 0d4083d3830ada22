import { systemEffects } from '../../shared/runtime/effects.ts';
import { openStore } from '../../shared/store/store.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { countTiers } from '../../shared/store/tiers.ts';
import { createEventBus } from '../events/eventBus.ts';
import { createDoorHint } from '../tier/doorHint.ts';
import { Ec2Machine } from '../tier/ec2Machine.ts';
import { runTier } from '../tier/runTier.ts';
import { defaultProvider } from './credentials.ts';
import { requireEnv, requireNumber } from './fromEnv.ts';

const [flags, connections] = [requireEnv('FLAGS_TABLE'), requireEnv('CONNECTIONS_TABLE')];
const store = openStore({ client: createDynamoDb(), flags, connections });
const target = { endpoint: requireEnv('EC2_ENDPOINT'), region: requireEnv('AWS_REGION'), keys: defaultProvider() };
const bus = process.env['EVENT_BUS'];
const deps = {
  tiers: store.tiers,
  records: store.machine,
  machine: new Ec2Machine(target, requireEnv('INSTANCE_ID'), systemEffects),
  count: (most: number) => countTiers(store, store.connections, most),
  writeHint: createDoorHint(requireEnv('HINTS_ARN')),
  limits: { startAt: requireNumber('START_AT'), stopAt: requireNumber('STOP_AT') },
  now: systemEffects.now,
  pause: systemEffects.pause,
  putEvents: bus === undefined ? undefined : createEventBus(bus),
};

/** The handler of a schedule that runs every minute. It starts and stops the machine of the host behind the front door. */
export const handler = (): Promise<void> => runTier(deps);
