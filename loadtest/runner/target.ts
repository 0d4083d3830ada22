import { freePort } from '../../infra/test/tools/freePort.ts';
import { type EmulatorProcess, startCachedTable, startEmulator, type TableAccess } from '../machine/emulatorProcess.ts';
import { type Pinned, SERVER_CORE } from '../machine/pinned.ts';
import { LOOPBACK, readyPort, startServer } from '../machine/serverProcess.ts';
import type { Usage } from '../results/runFiles.ts';

/** What load is sent to. */
export interface Target {
  /** As reports name it: no key is in it. */
  readonly name: string;
  /** Bases of streaming addresses, taken in turn. */
  readonly urls: readonly string[];
  readonly http?: string;
  readonly clientKey: string;
  readonly serverKey?: string;
  /** Processes whose CPU and memory are watched. */
  readonly pids: readonly number[];
  /** What a machine far away used between two times; it is asked for after a run. */
  readonly readUsage?: (from: Date, to: Date) => Promise<readonly Usage[]>;
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

/** The whole service as `npm start` runs it, on a core of its own. */
export async function openLocal(): Promise<Target> {
  const port = await freePort();
  const emulator = await startEmulator(SERVER_CORE, [], port);
  return {
    name: 'local',
    urls: [`ws://127.0.0.1:${port}`],
    http: `http://127.0.0.1:${port}`,
    ...accessTo(emulator),
    pids: [emulator.process.pid],
    notes: ['The local gateway plays API Gateway, Lambda and DynamoDB in one process: its speed is not theirs.'],
    close: emulator.stop,
  };
}

/**
 * The host on a core of its own, its table in the emulator on the generator's.
 *
 * @param processes hosts that share the port: one may open as many files as any process
 */
export async function openHost(processes: number): Promise<Target> {
  const emulator = await startCachedTable();
  const hosts: Pinned[] = [];
  let port = 0;
  for (let n = 0; n < processes; n++) {
    const host = startServer(emulator.table, { PORT: String(port), REUSE_PORT: String(processes > 1) });
    hosts.push(host);
    port = await readyPort(host);
  }
  return {
    name: 'host',
    urls: LOOPBACK.map((address) => `ws://${address}:${port}`),
    http: `http://127.0.0.1:${port}`,
    ...accessTo(emulator),
    pids: hosts.map(({ pid }) => pid),
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

function accessTo({ clientKey, serverKey, table }: EmulatorProcess) {
  return { clientKey, serverKey, table };
}
