import { startLocal } from '../../../dev/emulator/emulator.ts';
import { readConfig } from '../../../infra/config/config.ts';
import { synthesizeTemplates } from '../../../infra/inProcess.ts';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import { until } from '../../../shared/testing/until.ts';
import { anEnvironment, Client } from './clients.ts';

/** When changes were everywhere, in milliseconds since they were written, one right after the other. */
export interface Fairness {
  readonly large: number;
  readonly small: number;
}

/**
 * Changes a flag of an environment with many connections, and then one of an environment with one.
 *
 * @param connections of the large environment
 * @param rate messages a second of all deliveries
 * @param groups message groups of an environment; the stack's unless given
 */
export async function twoChanges(connections: number, rate: number, groups?: number): Promise<Fairness> {
  const templates = synthesizeTemplates(readConfig({ 'flagwire:deliveryRate': rate }));
  for (const { Resources } of Object.values(templates)) {
    for (const { Properties } of groups === undefined ? [] : Object.values(Resources)) {
      const { Variables } = (Properties?.['Environment'] ?? {}) as { Variables?: Record<string, string> };
      if (Variables?.['GROUPS_PER_ENVIRONMENT']) Variables['GROUPS_PER_ENVIRONMENT'] = String(groups);
    }
  }
  const stack = await startLocal({ templates, log: () => {} });
  const store = openStore({ client: createDynamoDb(), ...stack.tables });
  const all: Client[] = [];
  try {
    const [large, small] = [await anEnvironment(store, 'large'), await anEnvironment(store, 'small')];
    let ready = 0;
    const changedAt = { large: [] as number[], small: [] as number[] };
    const open = (environment: typeof large, to: number[], keyId: string) =>
      new Client(stack.streamingUrl, environment, 'server', keyId, {
        onFlags: () => ready++,
        onPatch: () => to.push(performance.now()),
      });
    all.push(open(small, changedAt.small, 'one'));
    for (let n = 0; n < connections; n++) {
      all.push(open(large, changedAt.large, `u${n}`));
      // As many as the machine, which plays both sides, answers while they come.
      if (n % 50 === 49) await until(() => ready === all.length);
    }
    await until(() => ready === connections + 1);
    const turnOff = ({ id }: typeof large) =>
      store.documents.writeFlag(id, 'returns-true', (flag) => ({
        ...(flag as NonNullable<typeof flag>),
        isEnabled: false,
      }));
    const beganAt = performance.now();
    await turnOff(large);
    await turnOff(small);
    await until(() => changedAt.large.length === connections && changedAt.small.length === 1);
    return {
      large: Math.max(...changedAt.large) - beganAt,
      small: (changedAt.small[0] as number) - beganAt,
    };
  } finally {
    for (const client of all) client.close();
    store.close();
    await stack.close();
  }
}
