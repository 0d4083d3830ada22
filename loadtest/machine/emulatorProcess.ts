import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TABLE_FLAGS } from './nodeFlags.ts';
import { GENERATOR_CORE, startPinned } from './pinned.ts';

const START_DEADLINE_MS = 60_000;

/** A flags table: its name, and the environment variables by which AWS's clients find it. */
export interface TableAccess {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Where the emulator announces another way to it when it was started again. */
  readonly announcedIn?: string;
}

/** An emulator process with its own data folder. Its table contains the benchmark's flags and their keys. */
export interface EmulatorProcess {
  readonly clientKey: string;
  readonly serverKey: string;
  readonly table: TableAccess;
  /** Ends the process and removes the folder. */
  readonly stop: () => Promise<void>;
}

/** The service of `npm start`, in that process. */
interface LocalService extends EmulatorProcess {
  readonly pid: number;
  /** Ends the process as a signal does, and starts it again on its folder and port. @returns its new id */
  readonly restart: () => Promise<number>;
}

/**
 * Starts the emulator.
 *
 * @param port of its streaming and HTTP URLs; 0 takes a free one
 * @param account options of `npm start` for the account that it plays; without them, one whose quotas no load here reaches
 * @throws Error when it ends before it is ready, with its output
 */
export async function startEmulator(
  core: number,
  nodeFlags: readonly string[] = [],
  port = 0,
  account?: readonly string[],
): Promise<LocalService> {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-load-'));
  const args = ['--port', String(port), '--data', directory, ...(account ?? ['--aws', 'raised']), '--quiet'];
  // An account whose quotas are reached logs each refusal.
  const isQuiet = account !== undefined;
  const start = async () => {
    const started = startPinned({ core, file: 'dev/local/main.ts', args, flags: nodeFlags, isQuiet });
    await started.ready(() => existsSync(join(directory, 'local.json')), START_DEADLINE_MS);
    return started;
  };
  let process = await start();
  const read = (name: string) => JSON.parse(readFileSync(join(directory, name), 'utf8'));
  const { flagsTable, dynamoDbEndpoint, environment } = read('local.json');
  const { client, server } = read('keys.json');
  return {
    pid: process.pid,
    clientKey: client,
    serverKey: server,
    table: {
      name: flagsTable,
      environment: { ...environment, AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint },
      announcedIn: directory,
    },
    restart: async () => {
      await process.stop('SIGTERM');
      process = await start();
      return process.pid;
    },
    stop: async () => {
      await process.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Starts the emulator on the core of the load generator, behind a caching table. */
export async function startCachedTable(): Promise<EmulatorProcess> {
  const emulator = await startEmulator(GENERATOR_CORE, TABLE_FLAGS);
  const { clientKey, serverKey, table } = emulator;
  const { name, environment } = table;
  const cache = startPinned({
    core: GENERATOR_CORE,
    file: 'loadtest/machine/cachingTable.ts',
    args: [environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? ''],
    flags: TABLE_FLAGS,
  });
  const endpoint = `http://127.0.0.1:${(await cache.listening()).port}`;
  return {
    clientKey,
    serverKey,
    table: { name, environment: { ...environment, AWS_ENDPOINT_URL_DYNAMODB: endpoint } },
    stop: async () => {
      await cache.stop();
      await emulator.stop();
    },
  };
}
