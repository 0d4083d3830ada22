import { rmSync } from 'node:fs';
import { readAnnouncement } from '../../../shared/runtime/announcement.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { openConnections } from '../../../shared/store/connections/connections.ts';
import { openStore } from '../../../shared/store/store.ts';
import { readServiceTables } from '../../../shared/store/table/serviceTables.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { freePort } from '../../support/freePort.ts';
import { LocalProcess } from '../conformance/localProcess.ts';
import type { Service } from './service.ts';

/** `npm start`. Its tables stop and start with it. */
export async function openGateway(directory: string): Promise<Service> {
  const port = await freePort();
  const begin = async () => {
    // Requests must reach the service, and not the quotas of the account.
    const process = await LocalProcess.start(directory, port, 'raised');
    const target = process.target();
    const client = createDynamoDb();
    const flags = readAnnouncement(directory)?.flagsTable ?? '';
    const { connections = '' } = (await readServiceTables({ client, name: flags, effects: systemEffects })) ?? {};
    return { process, client, flags, target: { ...target, connections: openConnections({ client, connections }) } };
  };
  let running = await begin();
  const end = async (signal: NodeJS.Signals) => {
    await running.process.stop(signal);
    running.target.store.close();
    running.client.destroy();
  };
  return {
    name: 'gateway',
    port,
    get process() {
      return running.process;
    },
    get target() {
      return running.target;
    },
    open: (effects) => openStore(running, effects),
    end,
    async start() {
      running = await begin();
    },
    async close() {
      await end('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
