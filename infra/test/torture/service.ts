import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConnections } from '../../../shared/store/connections.ts';
import type { Effects } from '../../../shared/store/effects.ts';
import { type FlagStore, openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import { HostProcess } from '../conformance/hostProcess.ts';
import { LocalProcess } from '../conformance/localProcess.ts';
import type { RunningProcess } from '../conformance/runningProcess.ts';
import type { Target } from '../conformance/target.ts';
import { freePort } from '../tools/freePort.ts';
import { TableProcess } from './tableProcess.ts';
import { readTables } from './tables.ts';

/** What can be tortured: the host, and the serverless service as `npm start` runs it. */
export const SERVICES = ['host', 'gateway'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** One of them as a process of its own, on a free port of this machine, with data of its own. */
export interface Service {
  readonly name: ServiceName;
  readonly port: number;
  /** The process that answers; another one after each start. */
  readonly process: RunningProcess;
  /** Where it is, and its tables, whose port may be another after a start. */
  readonly target: Target;
  /** Opens its store by another clock. Not for longer than until the next start. */
  readonly open: (effects: Effects) => FlagStore;
  /** Ends the process without a word. Acknowledged writes outlive it. */
  kill(): Promise<void>;
  /** Starts it again after {@link kill}, at the same port. */
  start(): Promise<void>;
  /** Ends everything and removes the data. */
  close(): Promise<void>;
}

/** Leads to a table by another way. @param endpoint its address @returns the address at which it is to be asked */
type Detour = (endpoint: string) => Promise<string>;

/** Starts a service. @param detour how the host is to be led to its table, which is in another process */
export async function openService(name: ServiceName, detour: Detour = async (endpoint) => endpoint): Promise<Service> {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-torture-'));
  try {
    return await (name === 'host' ? openHost(directory, detour) : openGateway(directory));
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/** `npm start`: its table goes with it, and is there again with it. */
async function openGateway(directory: string): Promise<Service> {
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
  const kill = async () => {
    await running.process.stop('SIGKILL');
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
    kill,
    async start() {
      running = await begin();
    },
    async close() {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The host, on a table that is never killed. */
async function openHost(directory: string, detour: Detour): Promise<Service> {
  const table = await TableProcess.start();
  const tables = { client: createDynamoDb(), flags: table.flags };
  const store = openStore(tables);
  const port = await freePort();
  const settings = {
    PORT: String(port),
    STATE_DIR: join(directory, 'state'),
    INSIGHT_FILE: join(directory, 'insights.ndjson'),
    DRAIN_MS: '500',
  };
  const stack = { dynamoDbEndpoint: await detour(table.endpoint), tables };
  let host = await HostProcess.start(stack, settings);
  return {
    name: 'host',
    port,
    get process() {
      return host;
    },
    target: { streamingUrl: `ws://127.0.0.1:${port}`, httpUrl: `http://127.0.0.1:${port}`, store },
    open: (effects) => openStore(tables, effects),
    async kill() {
      await host.stop('SIGKILL');
    },
    async start() {
      host = await HostProcess.start(stack, settings);
    },
    async close() {
      await Promise.all([host.stop('SIGKILL'), table.stop('SIGKILL')]);
      store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
