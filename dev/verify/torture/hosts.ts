import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { Usage } from '../../../shared/store/usage/usage.ts';
import type { Service } from './service.ts';
import { startHosts } from './startHosts.ts';
import { TableProcess } from './tableProcess.ts';

/** Puts a proxy before a table. @param endpoint endpoint of the table @returns endpoint of the proxy */
export type Detour = (endpoint: string) => Promise<string>;

/** One host, or several behind a balancer, on a table that is never killed. */
export async function openHosts(name: 'host' | 'balanced', directory: string, detour: Detour): Promise<Service> {
  const table = await TableProcess.start();
  const start = async () => {
    const stack = { dynamoDbEndpoint: await detour(table.endpoint), tables: table.tables };
    return startHosts(stack, directory, name === 'balanced');
  };
  const hosts = await start().catch(async (error) => {
    await table.stop('SIGKILL');
    throw error;
  });
  const client = createDynamoDb();
  const { usage, ...names } = table.tables;
  const tables = { client, ...names };
  const store = openStore(tables);
  const { port } = hosts;
  return {
    name,
    port,
    get process() {
      return hosts.process;
    },
    target: {
      streamingUrl: `ws://127.0.0.1:${port}`,
      httpUrl: `http://127.0.0.1:${port}`,
      store,
      receipts: store.connections,
      usage: new Usage({ client, name: usage, effects: systemEffects }),
      insights: () => insightsIn(directory),
    },
    open: (effects) => openStore(tables, effects),
    end: (signal) => hosts.end(signal),
    start: () => hosts.start(),
    async close() {
      await Promise.all([hosts.close(), table.stop('SIGKILL')]);
      store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function insightsIn(directory: string): string {
  return globSync('**/insights.ndjson', { cwd: directory })
    .map((file) => readFileSync(join(directory, file), 'utf8'))
    .join('');
}
