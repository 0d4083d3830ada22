import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOST_FLAGS, TABLE_FLAGS } from '../../machine/nodeFlags.ts';
import { Pinned, pinMyself } from '../../machine/pinned.ts';
import type { Commands } from './generator.ts';
import type { Target } from './population.ts';

const SERVER_CORE = 0;
const GENERATOR_CORE = 1;

/** The servers that are compared: a bare `ws` server, and the host with either of its transports. */
export type ServerName = 'bare ws' | 'host';

/** Memory is no concern of the generator, its pauses are: they would hold up the table beside it. */
const GENERATOR_FLAGS = ['--initial-old-space-size=4000', '--max-semi-space-size=8', '--single-threaded-gc'];

/** Flags in the benchmark's data set. */
const FLAGS = 5;

/** More connections than one address has ports for go to several. */
const LOOPBACK = Array.from({ length: 8 }, (_, n) => `127.0.0.${n + 1}`);

/** A server under test. */
export interface Server {
  readonly name: ServerName;
  readonly process: Pinned;
  readonly target: Target;
}

/** A process that opens connections. */
export class Generator {
  readonly process: Pinned;
  #asked = 0;

  constructor(target: Target) {
    const args = [JSON.stringify(target)];
    const file = 'loadtest/bench/host/generator.ts';
    this.process = new Pinned({ core: GENERATOR_CORE, file, args, nodeFlags: GENERATOR_FLAGS });
  }

  /** Has it do something. @throws when it ends meanwhile */
  ask<K extends keyof Commands>(name: K, ask: Commands[K]['ask']): Promise<Commands[K]['answer']> {
    const id = ++this.#asked;
    const { child } = this.process;
    return new Promise((resolve, reject) => {
      const onMessage = (message: { id: number; answer: Commands[K]['answer'] }) => {
        if (message.id !== id) return;
        child.off('message', onMessage).off('exit', onExit);
        resolve(message.answer);
      };
      const onExit = (code: number | null) => reject(new Error(`a generator ended with ${code}`));
      child.on('message', onMessage).on('exit', onExit);
      child.send({ id, name, ask });
    });
  }
}

/** What all measurements stand on: the emulator's table behind its memo, on the generator's core. */
export class Testbed {
  /** What the host, or whoever writes flags, needs in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #clientKey: string;
  readonly #directory: string;
  readonly #processes: readonly Pinned[];

  private constructor(directory: string, memoPort: number, processes: readonly Pinned[]) {
    const { flagsTable, environment } = readJson(directory, 'local.json');
    const endpoint = `http://127.0.0.1:${memoPort}`;
    this.environment = { ...environment, AWS_ENDPOINT_URL_DYNAMODB: endpoint, FLAGS_TABLE: flagsTable };
    this.#clientKey = readJson(directory, 'keys.json').client;
    this.#directory = directory;
    this.#processes = processes;
  }

  static async open(): Promise<Testbed> {
    pinMyself(GENERATOR_CORE);
    const directory = mkdtempSync(join(tmpdir(), 'flagwire-bench-'));
    const args = ['--port', '0', '--data', directory];
    const emulator = new Pinned({ core: GENERATOR_CORE, file: 'infra/local/main.ts', args, nodeFlags: TABLE_FLAGS });
    while (!existsSync(join(directory, 'local.json'))) {
      if (emulator.child.exitCode !== null) throw new Error('the emulator did not start');
      await sleep(50);
    }
    const upstream = readJson(directory, 'local.json').dynamoDbEndpoint;
    const file = 'loadtest/machine/cachingTable.ts';
    const memo = new Pinned({ core: GENERATOR_CORE, file, args: [upstream], nodeFlags: TABLE_FLAGS });
    return new Testbed(directory, await memo.port(), [emulator, memo]);
  }

  async close(): Promise<void> {
    for (const process of this.#processes) await process.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Runs something against a fresh server, which is stopped afterwards. */
  async withServer<T>(
    name: ServerName,
    use: (server: Server) => Promise<T>,
    nodeFlags: readonly string[] = [],
  ): Promise<T> {
    const process = this.startServer(name, {}, nodeFlags);
    try {
      return await use({ name, process, target: this.targetOf(name, await ready(process, name)) });
    } finally {
      // In order, so that a profile is written.
      await process.stop(nodeFlags.length > 0 ? 'SIGTERM' : 'SIGKILL');
    }
  }

  /** Starts a server on a free port, unless told otherwise. */
  startServer(name: ServerName, env: Readonly<Record<string, string>> = {}, nodeFlags: readonly string[] = []): Pinned {
    const file = name === 'bare ws' ? 'loadtest/bench/host/reference.ts' : 'functions/host/main.ts';
    const settings = {
      PORT: '0',
      HOST: '0.0.0.0',
      INSIGHT_FILE: '/dev/null',
      DRAIN_MS: '1',
      ...this.environment,
      ...env,
    };
    return new Pinned({ core: SERVER_CORE, file, env: settings, nodeFlags: [...HOST_FLAGS, ...nodeFlags] });
  }

  targetOf(name: ServerName, port: number): Target {
    const addresses = LOOPBACK.map((host) => ({ host, port }));
    return { addresses, clientKey: this.#clientKey, ...(name === 'bare ws' ? {} : { flags: FLAGS }) };
  }

  /** Runs something with generators for a target, which end afterwards. */
  async withGenerators<T>(target: Target, count: number, use: (generators: Generator[]) => Promise<T>): Promise<T> {
    const generators = Array.from({ length: count }, () => new Generator(target));
    try {
      return await use(generators);
    } finally {
      for (const { process } of generators) await process.stop();
    }
  }
}

/** Waits until a server can serve. @returns its port */
export async function ready(process: Pinned, name: ServerName): Promise<number> {
  const port = await process.port();
  while (name !== 'bare ws' && !(await fetch(`http://127.0.0.1:${port}/health/readiness`)).ok) await sleep(50);
  return port;
}

function readJson(directory: string, name: string) {
  return JSON.parse(readFileSync(join(directory, name), 'utf8'));
}
