import type { RunningProcess } from '../../dev/support/runningProcess.ts';
import type { Runtime } from '../../infra/hostRuntime.ts';
import type { TableAccess } from './emulatorProcess.ts';
import { HOST_FLAGS } from './nodeFlags.ts';
import { SERVER_CORE, startPinned } from './pinned.ts';

/** The host's entry, from the project's root. */
export const HOST = 'functions/host/main.ts';

/** How a server is started; the host on Bun by default. */
interface ServerProgram {
  readonly file?: string;
  readonly runtime?: Runtime;
}

/** Starts the host, or another server in its place, on the server's core, on a free port unless settings say otherwise. */
export function startServer(
  { name, environment }: TableAccess,
  settings: Readonly<Record<string, string>> = {},
  { file = HOST, runtime = 'bun' }: ServerProgram = {},
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

/** Waits until a host can serve. @returns its port @throws Error when it ends before it listens */
export async function readyPort(host: RunningProcess): Promise<number> {
  const { port } = await host.listening();
  await host.ready(async () => (await fetch(`http://127.0.0.1:${port}/health/readiness`)).ok);
  return port;
}
