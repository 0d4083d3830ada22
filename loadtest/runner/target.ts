import { freePort } from '../../dev/support/freePort.ts';
import type { RunningProcess } from '../../dev/support/runningProcess.ts';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { type EmulatorProcess, startCachedTable, startEmulator, type TableAccess } from '../machine/emulatorProcess.ts';
import { findLoopback } from '../machine/loopback.ts';
import { SERVER_CORE } from '../machine/pinned.ts';
import { readyPort, startServer } from '../machine/serverProcess.ts';
import type { Usage } from '../results/runFiles.ts';

/** The target of a load test. */
export interface Target {
  /** Its name in reports, without keys. */
  readonly name: string;
  /** Set if the load test started it, on another core than the load generator. */
  readonly isOurs?: true;
  /** Bases of streaming addresses, used in turn. */
  readonly urls: readonly string[];
  readonly http?: string;
  readonly clientKey: string;
  readonly serverKey?: string;
  /** Processes whose CPU and memory are measured. */
  readonly pids: readonly number[];
  /** Reads the CPU and memory of a remote machine after a run. */
  readonly readUsage?: (from: Date, to: Date) => Promise<readonly Usage[]>;
  /** Its flags table, if the load test can change flags. */
  readonly table?: TableAccess;
  /** Notes that a reader needs to interpret the figures. */
  readonly notes: readonly string[];
  readonly close: () => Promise<void>;
}

/** The options that describe a target by URL. */
export interface RemoteOptions {
  readonly target: string;
  readonly http?: string;
  readonly clientKey: string;
  readonly serverKey?: string;
  readonly table?: string;
  readonly pid?: readonly number[];
}

/** A deployment, or any server that uses the protocol. @param options its streaming URL, and what describes it */
export function openRemote(
  { target, http, clientKey, serverKey, pid: pids = [], table }: RemoteOptions,
  readUsage?: Target['readUsage'],
): Target {
  return {
    name: new URL(target).host,
    urls: [target.replace(/\/(streaming)?\/?$/, '')],
    clientKey,
    pids,
    ...omitUndefined({ http: http?.replace(/\/$/, ''), serverKey, readUsage }),
    ...(table !== undefined && { table: { name: table, environment: {} } }),
    notes: serverKey === undefined ? ['Without a server key, the flags in replies were not checked.'] : [],
    close: async () => {},
  };
}

/** Runs `npm start` on its own core. @param account options for the emulated account */
export async function openLocal(account?: readonly string[]): Promise<Target> {
  const port = await freePort();
  const emulator = await startEmulator(SERVER_CORE, [], port, account);
  return {
    name: 'local',
    urls: [`ws://127.0.0.1:${port}`],
    ...accessTo(emulator, port),
    pids: [emulator.pid],
    notes: ['npm start emulates API Gateway, Lambda and DynamoDB in one process. Its speed is not that of AWS.'],
    close: emulator.stop,
  };
}

/**
 * Runs the host on its own core, with its table in the emulator on the core of the load generator.
 *
 * @param processes hosts that share the port, because a process can open a limited number of files
 */
export async function openHost(processes: number): Promise<Target> {
  const emulator = await startCachedTable();
  const hosts: RunningProcess[] = [];
  let port = 0;
  for (let n = 0; n < processes; n++) {
    const host = startServer(emulator.table, { PORT: String(port), REUSE_PORT: String(processes > 1) });
    hosts.push(host);
    port = await readyPort(host);
  }
  return {
    name: 'host',
    urls: (await findLoopback(port)).map((address) => `ws://${address}:${port}`),
    ...accessTo(emulator, port),
    pids: hosts.map(({ pid }) => pid),
    notes: [
      ...(processes > 1 ? [`${processes} processes of the host share one port and one core.`] : []),
      'A cache answers reads of the table until the next write, because the published runs simulated their stores too.',
    ],
    close: () => stopAll(hosts, emulator),
  };
}

/**
 * Runs hosts like Fargate tasks: they share only the table, and each has its own port. The load generator alternates between them, as a
 * network load balancer does. A real load balancer would exceed the number of files that a process can open.
 */
export async function openTasks(count: number): Promise<Target> {
  const emulator = await startCachedTable();
  const tasks = Array.from({ length: count }, () => startServer(emulator.table));
  const ports = await Promise.all(tasks.map(readyPort));
  const addresses = await findLoopback(ports[0] ?? 0);
  return {
    name: 'fargate',
    urls: addresses.flatMap((address) => ports.map((port) => `ws://${address}:${port}`)),
    ...accessTo(emulator, ports[0]),
    pids: tasks.map(({ pid }) => pid),
    notes: [`${count} tasks share one core, without a load balancer. On Fargate, each task has its own core.`],
    close: () => stopAll(tasks, emulator),
  };
}

async function stopAll(servers: readonly RunningProcess[], emulator: EmulatorProcess): Promise<void> {
  for (const server of servers) await server.stop();
  await emulator.stop();
}

function accessTo({ clientKey, serverKey, table }: EmulatorProcess, port: number | undefined) {
  return { isOurs: true, http: `http://127.0.0.1:${port}`, clientKey, serverKey, table } as const;
}
