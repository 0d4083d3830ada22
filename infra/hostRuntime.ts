import { join } from 'node:path';
import { repositoryRoot } from './repository.ts';

/** What the host can run on, the default first. */
const RUNTIMES = ['bun', 'node'] as const;
export type Runtime = (typeof RUNTIMES)[number];

/** The program of a runtime: Bun as its npm package installs it, or the Node that this is. */
export function programOf(runtime: Runtime): string {
  return runtime === 'node' ? process.execPath : join(repositoryRoot, 'node_modules/bun/bin/bun.exe');
}

/**
 * What tests run the host on: Bun, unless the environment variable HOST_RUNTIME names another.
 *
 * @throws Error when it names none
 */
export function hostRuntime(): Runtime {
  const named = process.env['HOST_RUNTIME'] ?? RUNTIMES[0];
  const runtime = RUNTIMES.find((each) => each === named);
  if (!runtime) throw new Error(`HOST_RUNTIME=${named} is none of ${RUNTIMES.join(', ')}`);
  return runtime;
}
