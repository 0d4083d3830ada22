import { rmSync } from 'node:fs';
import { openConnections } from '../../../shared/store/connections/connections.ts';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { freePort } from '../../support/freePort.ts';
import { LocalProcess } from '../conformance/localProcess.ts';
import type { Service } from './service.ts';
import { readTables } from './tables.ts';

/** `npm start`: its table goes with it, and is there again with it. */
export async function openGateway(directory: string): Promise<Service> {
  const port = await freePort();
  const { flags, connections } = await readTables();
  const begin = async () => {
    // A flood is meant to reach the service, not the account's quotas.
    const process = await LocalProcess.start(directory, port, 'raised');
    const target = process.target();
    const client = createDynamoDb();
    return { process, client, target: { ...target, connections: openConnections({ client, connections }) } };
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
    open: (effects) => openStore({ client: running.client, flags }, effects),
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
