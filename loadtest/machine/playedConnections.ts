import { ofRepository, RunningProcess } from '../../dev/support/runningProcess.ts';
import type { ConnectionsRequests, ReceivedCounts } from './connectionsServer.ts';

/** A process that simulates API Gateway's `@connections`. */
export interface PlayedConnections {
  readonly endpoint: string;
  /** What it was sent since the last call. */
  readonly received: () => Promise<ReceivedCounts>;
  readonly close: () => Promise<unknown>;
}

/** Starts it, over HTTP. */
export async function startConnections(): Promise<PlayedConnections> {
  const server = new RunningProcess(ofRepository('loadtest/machine/connectionsServer.ts'), {
    stderr: 'inherit',
    hasIpc: true,
  });
  const { port } = await server.listening();
  const ask = server.requests<ConnectionsRequests>();
  return {
    endpoint: `http://127.0.0.1:${port}/streaming`,
    received: () => ask('received', null),
    close: () => server.stop(),
  };
}
