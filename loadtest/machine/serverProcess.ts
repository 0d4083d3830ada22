import type { RunningProcess } from '../../dev/support/runningProcess.ts';
import type { TableAccess } from './emulatorProcess.ts';
import { SERVER_CORE, startPinned } from './pinned.ts';

/** Starts the host on Bun, or another program, on the core of the server, by default on a free port. */
export function startServer(
  { name, environment }: TableAccess,
  settings: Readonly<Record<string, string>> = {},
  file = 'functions/host/main.ts',
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
  return startPinned({ core: SERVER_CORE, file, environment: variables, runtime: 'bun' });
}

/** Waits until a host is ready. @returns its port @throws Error if it ends before it listens */
export async function readyPort(host: RunningProcess): Promise<number> {
  const { port } = await host.listening();
  await host.ready(async () => (await fetch(`http://127.0.0.1:${port}/health/readiness`)).ok);
  return port;
}
