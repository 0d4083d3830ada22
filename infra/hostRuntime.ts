import { join } from 'node:path';
import { repositoryRoot } from './repository.ts';

/** The runtimes of the host, the default first. */
const RUNTIMES = ['bun', 'node'] as const;
export type Runtime = (typeof RUNTIMES)[number];

/** The program of a runtime: Bun from its npm package, or the running Node. */
export function programOf(runtime: Runtime): string {
  return runtime === 'node' ? process.execPath : join(repositoryRoot, 'node_modules/bun/bin/bun.exe');
}

/**
 * The runtime for tests: Bun, unless the environment variable HOST_RUNTIME names another.
 *
 * @throws Error if it names none
 */
export function hostRuntime(): Runtime {
  const named = process.env['HOST_RUNTIME'] ?? RUNTIMES[0];
  const runtime = RUNTIMES.find((each) => each === named);
  if (!runtime) throw new Error(`HOST_RUNTIME=${named} is none of ${RUNTIMES.join(', ')}`);
  return runtime;
}
