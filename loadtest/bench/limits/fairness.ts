import { startLocal } from '../../../dev/emulator/emulator.ts';
import { readConfig } from '../../../infra/config/config.ts';
import { synthesizeTemplates } from '../../../infra/inProcess.ts';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import { until } from '../../../shared/testing/until.ts';
import { flipFlag } from '../../machine/flagFlips.ts';
import { type Generator, withGenerators } from '../../testbed/testbed.ts';
import { createEnvironment } from './clients.ts';

/** New connections a second: as many as the machine, which plays both sides, answers. */
const RATE = 50;
const KEY = 'returns-true';

/** When changes reached all connections, in milliseconds after they were written, one right after the other. */
export interface Fairness {
  readonly large: number;
  readonly small: number;
}

/**
 * Changes a flag of an environment with many connections, and then one of an environment with one connection.
 *
 * @param connections of the large environment
 * @param rate messages a second of all deliveries
 * @param groups message groups of an environment; the stack's unless given
 */
export async function twoChanges(connections: number, rate: number, groups?: number): Promise<Fairness> {
  const config = readConfig();
  const templates = synthesizeTemplates(config);
  for (const { Resources } of Object.values(templates)) {
    for (const { Properties } of Object.values(Resources)) {
      const { Variables } = (Properties?.['Environment'] ?? {}) as { Variables?: Record<string, string> };
      if (Variables?.['GROUPS_PER_ENVIRONMENT'] && groups !== undefined)
        Variables['GROUPS_PER_ENVIRONMENT'] = String(groups);
      if (Variables?.['UNDELIVERED_QUEUE_URL'])
        Variables['POSTS_PER_SECOND'] = String(rate / config.deliverConcurrency);
    }
  }
  const stack = await startLocal({ templates, log: () => {} });
  const store = openStore({ client: createDynamoDb(), ...stack.tables });
  try {
    const large = await createEnvironment(stack, store, 'large');
    const small = await createEnvironment(stack, store, 'small');
    return await withGenerators(large.target('client'), 1, ([many]) =>
      withGenerators(small.target('client'), 1, async ([one]) => {
        await one.ask('storm', { rate: 1, count: 1 });
        const { errors, reasons } = await many.ask('storm', { rate: RATE, count: connections });
        if (errors > 0) throw new Error(`${errors} of ${connections} connections failed: ${reasons.join('; ')}`);
        const { beganAt } = await flipFlag(store, large.id, KEY);
        await flipFlag(store, small.id, KEY);
        const arrived = (generator: Generator, count: number) =>
          until(
            async () => (await generator.ask('arrivals', null))[0],
            (arrival) => arrival?.count === count,
          );
        const [last, only] = [await arrived(many, connections), await arrived(one, 1)];
        return { large: (last?.lastAt ?? Number.NaN) - beganAt, small: (only?.lastAt ?? Number.NaN) - beganAt };
      }),
    );
  } finally {
    store.close();
    await stack.close();
  }
}
