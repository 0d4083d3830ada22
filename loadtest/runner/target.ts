import { freePort } from '../../dev/support/freePort.ts';
import type { RunningProcess } from '../../dev/support/runningProcess.ts';
import { type EmulatorProcess, startCachedTable, startEmulator, type TableAccess } from '../machine/emulatorProcess.ts';
import { findLoopback } from '../machine/loopback.ts';
import { SERVER_CORE } from '../machine/pinned.ts';
import { readyPort, startServer } from '../machine/serverProcess.ts';
import type { Usage } from '../results/runFiles.ts';
import type { Settings } from '../scenarios/settings.ts';

/** What load is sent to. */
export interface Target {
  /** As reports name it: no key is in it. */
  readonly name: string;
  /** Whether it was started for the load test, on the core that the generator keeps off. */
  readonly isOurs?: true;
  /** Bases of streaming addresses, taken in turn. */
  readonly urls: readonly string[];
  readonly http?: string;
  readonly clientKey: string;
  readonly serverKey?: string;
  /** Processes whose CPU and memory are watched. */
  readonly pids: readonly number[];
  /** What a machine far away used between two times; it is asked for after a run. */
  readonly readUsage?: (from: Date, to: Date) => Promise<readonly Usage[]>;
  /** How much later that is there, in milliseconds. */
  readonly usageDelayMs?: number;
  /** Closes every connection with 1001, and is there again; undefined where that is not ours to do. */
  readonly drain?: () => Promise<void>;
  /** What its answers must follow from, where that is known without asking it. */
  readonly environment?: NonNullable<Settings['environment']>;
  /** What leads to its table, where flags can be flipped. */
  readonly table?: TableAccess;
  /** What a reader of its figures must know. */
  readonly notes: readonly string[];
  readonly close: () => Promise<void>;
}

/** A deployment, or any server that speaks the protocol, by its URLs. */
interface RemoteAccess {
  readonly url: string;
  readonly http?: string;
  readonly clientKey: string;
  readonly serverKey?: string;
  readonly pids: readonly number[];
  readonly table?: string;
  readonly readUsage?: Target['readUsage'];
}

export function openRemote({ url, http, clientKey, serverKey, pids, table, readUsage }: RemoteAccess): Target {
  return {
    name: new URL(url).host,
    urls: [url.replace(/\/(streaming)?\/?$/, '')],
    ...(http !== undefined && { http: http.replace(/\/$/, '') }),
    clientKey,
    ...(serverKey !== undefined && { serverKey }),
    pids,
    ...(readUsage && { readUsage }),
    ...(table !== undefined && { table: { name: table, environment: {} } }),
    notes:
      serverKey === undefined ? ['Without a server key, answers were looked at and not checked flag by flag.'] : [],
    close: async () => {},
  };
}

/** Runs `npm start` on its own core. @param account options for the emulated account */
export async function openLocal(account?: readonly string[]): Promise<Target> {
  const port = await freePort();
  const emulator = await startEmulator(SERVER_CORE, [], port, account);
  const pids = [emulator.pid];
  return {
    name: 'local',
    isOurs: true,
    urls: [`ws://127.0.0.1:${port}`],
    http: `http://127.0.0.1:${port}`,
    ...accessTo(emulator),
    pids,
    drain: async () => {
      pids[0] = await emulator.restart();
    },
    notes: ['The local gateway plays API Gateway, Lambda and DynamoDB in one process: its speed is not theirs.'],
    close: emulator.stop,
  };
}

/**
 * The host on a core of its own, its table in the emulator on the generator's.
 *
 * @param processes hosts that share the port: one may open as many files as any process
 * @param drainMs over which a host that is drained closes its connections, where it is to be
 */
export async function openHost(processes: number, drainMs?: number): Promise<Target> {
  const emulator = await startCachedTable();
  const hosts: RunningProcess[] = [];
  const pids: number[] = [];
  let port = 0;
  const isShared = processes > 1 || drainMs !== undefined;
  const start = async () => {
    const drained = drainMs === undefined ? {} : { DRAIN_MS: String(drainMs) };
    const host = startServer(emulator.table, { PORT: String(port), REUSE_PORT: String(isShared), ...drained });
    hosts.push(host);
    port = await readyPort(host);
    pids.push(host.pid);
  };
  for (let n = 0; n < processes; n++) await start();
  return {
    name: 'host',
    isOurs: true,
    urls: (await findLoopback(port)).map((address) => `ws://${address}:${port}`),
    http: `http://127.0.0.1:${port}`,
    ...accessTo(emulator),
    pids,
    // As a deployment does: the new ones are there before the old ones go.
    drain: async () => {
      const old = [...hosts];
      for (const _ of old) await start();
      await Promise.all(old.map((host) => host.stop('SIGTERM')));
      hosts.splice(0, old.length);
      pids.splice(0, old.length);
    },
    notes: [
      ...(processes > 1 ? [`${processes} processes of the host share one port and one core.`] : []),
      'Reads of the table are answered from memory until something is written, as the published runs had their stores faked.',
    ],
    close: async () => {
      for (const host of hosts) await host.stop();
      await emulator.stop();
    },
  };
}

/**
 * Tasks as Fargate runs them: hosts that share nothing but the table, each at its own port. The generator gives them connections in
 * turn, as a network load balancer would; there is none here, as it would hold more files than a process may open.
 */
export async function openTasks(count: number): Promise<Target> {
  const emulator = await startCachedTable();
  const tasks = Array.from({ length: count }, () => startServer(emulator.table));
  const ports = await Promise.all(tasks.map(readyPort));
  const addresses = await findLoopback(ports[0] ?? 0);
  return {
    name: 'fargate',
    isOurs: true,
    urls: addresses.flatMap((address) => ports.map((port) => `ws://${address}:${port}`)),
    http: `http://127.0.0.1:${ports[0]}`,
    ...accessTo(emulator),
    pids: tasks.map(({ pid }) => pid),
    notes: [`${count} tasks share one core here, without the balancer before them; on Fargate each has its own.`],
    close: async () => {
      for (const task of tasks) await task.stop();
      await emulator.stop();
    },
  };
}

function accessTo({ clientKey, serverKey, table }: EmulatorProcess) {
  return { clientKey, serverKey, table };
}
