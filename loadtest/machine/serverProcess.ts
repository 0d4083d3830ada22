import type { RunningProcess } from '../../dev/support/runningProcess.ts';
import type { Runtime } from '../../infra/hostRuntime.ts';
import type { TableAccess } from './emulatorProcess.ts';
import { SERVER_CORE, startPinned } from './pinned.ts';

/** Starts the host, or another program, on the core of the server, by default on Bun and on a free port. @param file from the project's root */
export function startServer(
  { name, environment }: TableAccess,
  settings: Readonly<Record<string, string>> = {},
  file = 'functions/host/main.ts',
  runtime: Runtime = 'bun',
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
  return startPinned({ core: SERVER_CORE, file, environment: variables, runtime });
}

/** Waits until a host is ready. @returns its port @throws Error if it ends before it listens */
export async function readyPort(host: RunningProcess): Promise<number> {
  const { port } = await host.listening();
  await host.ready(async () => (await fetch(`http://127.0.0.1:${port}/health/readiness`)).ok);
  return port;
}
