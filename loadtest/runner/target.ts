import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../infra/test/tools/freePort.ts';
import { HOST_FLAGS, TABLE_FLAGS } from '../machine/nodeFlags.ts';
import { Pinned } from '../machine/pinned.ts';
import type { Usage } from '../results/runFiles.ts';

/** Where what is ours runs, so that what is measured has a core for itself. */
const SERVER_CORE = 0;
export const GENERATOR_CORE = 1;

/** More connections than one address has ports for go to several. */
const LOOPBACK = Array.from({ length: 8 }, (_, n) => `127.0.0.${n + 1}`);

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
  readonly table?: { readonly name: string; readonly environment: Readonly<Record<string, string>> };
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
  const { directory, emulator, table } = await startStandIn(SERVER_CORE, [], port);
  return {
    name: 'local',
    urls: [`ws://127.0.0.1:${port}`],
    http: `http://127.0.0.1:${port}`,
    ...keysOf(directory),
    pids: [emulator.pid],
    table,
    notes: ['The local gateway plays API Gateway, Lambda and DynamoDB in one process: its speed is not theirs.'],
    close: () => closeAll(directory, [emulator]),
  };
}

/**
 * The host on a core of its own, its table in the emulator on the generator's.
 *
 * @param processes hosts that share the port: one may open as many files as any process
 */
export async function openHost(processes: number): Promise<Target> {
  const { directory, emulator, table } = await startStandIn(GENERATOR_CORE, TABLE_FLAGS);
  const memo = new Pinned({
    core: GENERATOR_CORE,
    file: 'loadtest/machine/cachingTable.ts',
    args: [table.environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? ''],
    nodeFlags: TABLE_FLAGS,
  });
  const environment = { ...table.environment, AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${await memo.port()}` };
  const hosts: Pinned[] = [];
  let port = 0;
  for (let n = 0; n < processes; n++) {
    const env = {
      ...environment,
      FLAGS_TABLE: table.name,
      HOST: '0.0.0.0',
      PORT: String(port),
      REUSE_PORT: String(processes > 1),
      INSIGHT_FILE: '/dev/null',
      DRAIN_MS: '1',
    };
    const host = new Pinned({ core: SERVER_CORE, file: 'functions/host/main.ts', env, nodeFlags: HOST_FLAGS });
    hosts.push(host);
    port = await host.port();
  }
  while (!(await fetch(`http://127.0.0.1:${port}/health/readiness`)).ok) await sleep(50);
  return {
    name: 'host',
    urls: LOOPBACK.map((address) => `ws://${address}:${port}`),
    http: `http://127.0.0.1:${port}`,
    ...keysOf(directory),
    pids: hosts.map(({ pid }) => pid),
    table: { name: table.name, environment },
    notes: [
      ...(processes > 1 ? [`${processes} processes of the host share one port and one core.`] : []),
      'Reads of the table are answered from memory until something is written, as the published runs had their stores faked.',
    ],
    close: () => closeAll(directory, [...hosts, memo, emulator]),
  };
}

async function startStandIn(core: number, nodeFlags: readonly string[], port = 0) {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-load-'));
  const args = ['--port', String(port), '--data', directory];
  const emulator = new Pinned({ core, file: 'infra/local/main.ts', args, nodeFlags });
  while (!existsSync(join(directory, 'local.json'))) {
    if (emulator.child.exitCode !== null) throw new Error(`the emulator did not start: ${emulator.output}`);
    await sleep(50);
  }
  const { flagsTable, dynamoDbEndpoint, environment } = readJson(directory, 'local.json');
  const table = { name: flagsTable, environment: { ...environment, AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint } };
  return { directory, emulator, table };
}

async function closeAll(directory: string, processes: readonly Pinned[]): Promise<void> {
  for (const process of processes) await process.stop();
  rmSync(directory, { recursive: true, force: true });
}

function keysOf(directory: string): { clientKey: string; serverKey: string } {
  const { client, server } = readJson(directory, 'keys.json');
  return { clientKey: client, serverKey: server };
}

function readJson(directory: string, name: string) {
  return JSON.parse(readFileSync(join(directory, name), 'utf8'));
}
