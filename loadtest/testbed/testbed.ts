import { type EmulatorProcess, startCachedTable, type TableAccess } from '../machine/emulatorProcess.ts';
import { GENERATOR_CORE, Pinned, pinMyself } from '../machine/pinned.ts';
import { HOST, LOOPBACK, readyPort, startServer } from '../machine/serverProcess.ts';
import type { Commands } from './generator.ts';
import type { Target } from './population.ts';

/** The servers that are compared: the host on both of its runtimes, and beside it what either can do at best. */
export const SERVERS = {
  'bare ws': { file: 'loadtest/testbed/reference.ts', runtime: 'node' },
  'bare Bun': { file: 'loadtest/testbed/reference.ts', runtime: 'bun' },
  'host on Node': { file: HOST, runtime: 'node' },
  host: { file: HOST, runtime: 'bun' },
} as const;
export type ServerName = keyof typeof SERVERS;

const isHost = (name: ServerName) => SERVERS[name].file === HOST;

/** Flags in the benchmark's data set. */
const FLAGS = 5;

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
    const file = 'loadtest/testbed/generator.ts';
    this.process = new Pinned({ core: GENERATOR_CORE, file, args, runtime: 'bun' });
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

/** What all measurements share: the emulator's table behind a cache, on the generator's core. */
export class Testbed {
  readonly #emulator: EmulatorProcess;

  private constructor(emulator: EmulatorProcess) {
    this.#emulator = emulator;
  }

  get table(): TableAccess {
    return this.#emulator.table;
  }

  static async open(): Promise<Testbed> {
    pinMyself(GENERATOR_CORE);
    return new Testbed(await startCachedTable());
  }

  close(): Promise<void> {
    return this.#emulator.stop();
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
    return startServer(this.table, env, { ...SERVERS[name], nodeFlags });
  }

  targetOf(name: ServerName, port: number): Target {
    const addresses = LOOPBACK.map((host) => ({ host, port }));
    return { addresses, clientKey: this.#emulator.clientKey, ...(isHost(name) ? { flags: FLAGS } : {}) };
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
export function ready(process: Pinned, name: ServerName): Promise<number> {
  return isHost(name) ? readyPort(process) : process.port();
}
