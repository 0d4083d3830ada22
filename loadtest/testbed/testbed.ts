import type { Ask } from '../../dev/support/ipc.ts';
import type { RunningProcess } from '../../dev/support/runningProcess.ts';
import { withCpu } from '../../dev/support/usage.ts';
import { findLoopback } from '../machine/loopback.ts';
import { GENERATOR_CORE, startPinned } from '../machine/pinned.ts';
import type { GeneratorRequests } from './generator.ts';
import type { Saturation } from './load.ts';
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

/** A server on this port of this machine. @param key client key of its environment */
export async function targetAt(port: number, key: string): Promise<Target> {
  return { addresses: (await findLoopback(port)).map((host) => ({ host, port })), key };
}

/** The target of a campaign, for load generators. */
export function targetOf({ urls, clientKey }: { urls: readonly string[]; clientKey: string }): Target {
  const all = urls.map((url) => new URL(url));
  return { addresses: all.map(({ hostname, port }) => ({ host: hostname, port: Number(port) })), key: clientKey };
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

/** Measures the maximum rate of new connections after a warm-up. @returns the rate, and the share of a core that the servers used */
export async function saturate({ ask }: Generator, pids: readonly number[], { warmUpMs, ...load }: Saturation) {
  await ask('saturate', { ...load, warmUpMs, measureMs: 1 });
  return withCpu(pids, ask('saturate', { ...load, warmUpMs: 0 }));
}
