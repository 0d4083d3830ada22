import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENERATOR_CORE, startPinned } from './pinned.ts';

const START_DEADLINE_MS = 60_000;

/** Reduce the pauses of the emulator's table, which would delay each push. DynamoDB has no such pauses. */
const TABLE_FLAGS = ['--initial-old-space-size=500', '--max-semi-space-size=2', '--single-threaded-gc'];

/** A flags table: its name, and the environment variables for AWS's clients. */
export interface TableAccess {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
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
  /** The data folder, in which it announces its addresses. */
  readonly directory: string;
}

/**
 * Starts the emulator.
 *
 * @param port of its streaming and HTTP URLs; 0 takes a free one
 * @param account options of `npm start` for the emulated account. By default, its quotas do not limit the load
 * @throws Error with the output, if it ends before it is ready
 */
export async function startEmulator(
  core: number,
  nodeFlags: readonly string[] = [],
  port = 0,
  account?: readonly string[],
): Promise<LocalService> {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-load-'));
  const place = ['--port', String(port), '--data', directory];
  const args = ['--benchmark', '--quiet', ...place, ...(account ?? ['--aws', 'raised'])];
  // An account logs each request above its quotas.
  const isQuiet = account !== undefined;
  const process = startPinned({ core, file: 'dev/local/main.ts', args, flags: nodeFlags, isQuiet });
  await process.ready(() => existsSync(join(directory, 'local.json')), START_DEADLINE_MS);
  const read = (name: string) => JSON.parse(readFileSync(join(directory, name), 'utf8'));
  const { flagsTable, dynamoDbEndpoint, environment } = read('local.json');
  const { client, server } = read('keys.json');
  return {
    pid: process.pid,
    directory,
    clientKey: client,
    serverKey: server,
    table: { name: flagsTable, environment: { ...environment, AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint } },
    stop: async () => {
      await process.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Starts the emulator on the core of the load generator, behind a caching table. */
export async function startCachedTable(): Promise<EmulatorProcess> {
  const emulator = await startEmulator(GENERATOR_CORE, TABLE_FLAGS);
  const { name, environment } = emulator.table;
  const cache = startPinned({
    core: GENERATOR_CORE,
    file: 'loadtest/machine/cachingTable.ts',
    args: [environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? ''],
    flags: TABLE_FLAGS,
  });
  const endpoint = `http://127.0.0.1:${(await cache.listening()).port}`;
  return {
    ...emulator,
    table: { name, environment: { ...environment, AWS_ENDPOINT_URL_DYNAMODB: endpoint } },
    stop: async () => {
      await cache.stop();
      await emulator.stop();
    },
  };
}
