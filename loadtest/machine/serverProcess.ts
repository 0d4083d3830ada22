import type { RunningProcess } from '../../dev/support/runningProcess.ts';
import type { Runtime } from '../../infra/hostRuntime.ts';
import type { TableAccess } from './emulatorProcess.ts';
import { SERVER_CORE, startPinned } from './pinned.ts';

/** Memory settings of the host on Node, for a machine of 1 GiB. */
const HOST_FLAGS = ['--max-old-space-size=640', '--initial-old-space-size=256', '--max-semi-space-size=8'];

/** The host's entry, from the project's root. */
export const HOST = 'functions/host/main.ts';

/** Starts the host on Bun, or another server, on the core of the server, by default on a free port. */
export function startServer(
  { name, environment }: TableAccess,
  settings: Readonly<Record<string, string>> = {},
  { file = HOST, runtime = 'bun' }: { readonly file?: string; readonly runtime?: Runtime } = {},
): RunningProcess {
  const variables = {
    ...environment,
    FLAGS_TABLE: name,
    HOST: '0.0.0.0',
    PORT: '0',
    INSIGHT_FILE: '/dev/null',
    DRAIN_MS: '1',
    ...settings,
  };
  const flags = runtime === 'node' ? HOST_FLAGS : [];
  return startPinned({ core: SERVER_CORE, file, environment: variables, runtime, flags });
}

/** Waits until a host is ready. @returns its port @throws Error if it ends before it listens */
export async function readyPort(host: RunningProcess): Promise<number> {
  const { port } = await host.listening();
  await host.ready(async () => (await fetch(`http://127.0.0.1:${port}/health/readiness`)).ok);
  return port;
}
