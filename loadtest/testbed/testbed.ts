import type { Ask } from '../../dev/support/ipc.ts';
import { pinMyself } from '../../dev/support/machine.ts';
import type { RunningProcess } from '../../dev/support/runningProcess.ts';
import { type EmulatorProcess, startCachedTable, type TableAccess } from '../machine/emulatorProcess.ts';
import { findLoopback } from '../machine/loopback.ts';
import { GENERATOR_CORE, startPinned } from '../machine/pinned.ts';
import { startServer } from '../machine/serverProcess.ts';
import type { GeneratorRequests } from './generator.ts';
import type { Target } from './population.ts';

/** Above these limits, the load generator is the bottleneck. It is one process, and shares its core with the table. */
export const GENERATOR_LIMITS = { cpu: 0.95, lagMs: 50 };

/** A saturated server uses at least this share of its core. */
export const LEAST_SATURATED = 0.8;

/** Connections that stay open during a saturation. A process can open at most 20,000 files on our machine. */
export const MOST_OPEN = 17_000;

/** A process that opens connections. */
export interface Generator {
  readonly process: RunningProcess;
  readonly ask: Ask<GeneratorRequests>;
}

/** The shared environment of measurements: the emulator's table behind a cache, on the core of the load generator. */
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

  /** Starts the host, or another program, on a free port. */
  startServer(settings: Readonly<Record<string, string>> = {}, file?: string): RunningProcess {
    return startServer(this.table, settings, file);
  }

  /** Where a server on this port is, with the client key of the benchmark's environment. */
  async targetOf(port: number): Promise<Target> {
    const addresses = (await findLoopback(port)).map((host) => ({ host, port }));
    return { addresses, key: this.#emulator.clientKey };
  }
}

/** Starts load generators for a target, calls `use`, and stops them. */
export async function withGenerators<T>(
  target: Target,
  count: number,
  use: (generators: [Generator, ...Generator[]]) => Promise<T>,
): Promise<T> {
  const generators = Array.from({ length: count }, () => startGenerator(target));
  try {
    return await use(generators as [Generator, ...Generator[]]);
  } finally {
    for (const { process } of generators) await process.stop();
  }
}

function startGenerator(target: Target): Generator {
  const args = [JSON.stringify(target)];
  const process = startPinned({ core: GENERATOR_CORE, file: 'loadtest/testbed/generator.ts', args, runtime: 'bun' });
  return { process, ask: process.requests<GeneratorRequests>() };
}
