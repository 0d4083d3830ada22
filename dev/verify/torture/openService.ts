import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAnnouncement } from '../../../shared/runtime/announcement.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { openConnections } from '../../../shared/store/connections/connections.ts';
import { openStore } from '../../../shared/store/store.ts';
import { readServiceTables } from '../../../shared/store/table/serviceTables.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { freePort } from '../../support/freePort.ts';
import { LocalProcess } from '../conformance/localProcess.ts';
import { openTables, urlsAt } from '../conformance/target.ts';
import type { Service, ServiceName } from './service.ts';
import { startHosts } from './startHosts.ts';
import { TableProcess } from './tableProcess.ts';

/** Puts a proxy before a table. @param endpoint endpoint of the table @returns endpoint of the proxy */
type Detour = (endpoint: string) => Promise<string>;

/** Starts a service. @param detour proxy between hosts and their table, which is in another process */
export async function openService(name: ServiceName, detour: Detour = async (endpoint) => endpoint): Promise<Service> {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-torture-'));
  try {
    if (name === 'gateway') return await openGateway(directory);
    return await openHosts(name, directory, detour);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/** One host, or several behind a balancer, on a table that is never killed. */
async function openHosts(name: 'host' | 'balanced', directory: string, detour: Detour): Promise<Service> {
  const table = await TableProcess.start();
  const start = async () => {
    const stack = { dynamoDbEndpoint: await detour(table.endpoint), tables: table.tables };
    return startHosts(stack, directory, name === 'balanced');
  };
  const hosts = await start().catch(async (error) => {
    await table.stop('SIGKILL');
    throw error;
  });
  const tables = openTables(table.tables, directory);
  return {
    name,
    port: hosts.port,
    get process() {
      return hosts.process;
    },
    target: { ...urlsAt(hosts.port), ...tables },
    open: tables.open,
    end: (signal) => hosts.end(signal),
    start: () => hosts.start(),
    async close() {
      await Promise.all([hosts.close(), table.stop('SIGKILL')]);
      tables.store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** `npm start`. Its tables stop and start with it. */
async function openGateway(directory: string): Promise<Service> {
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
