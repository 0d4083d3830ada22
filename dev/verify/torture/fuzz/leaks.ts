import { setTimeout as sleep } from 'node:timers/promises';
import { SHARDS } from '../../../../shared/store/connections/connection.ts';
import type { Connections } from '../../../../shared/store/connections/connections.ts';
import type { Workspace } from '../../conformance/workspace.ts';
import type { Service } from '../service.ts';

/** Maximum time until no connection is left after all clients have left. */
const LEAK_DEADLINE_MS = 30_000;

/** Time between two checks. Each check pushes a change to the connections that are left. */
const EVERY_MS = 1_000;

/**
 * Waits until no connection is left by the service's own count: that of the host's metrics, or of the gateway's table of connections.
 *
 * @returns the last count
 */
export async function waitUntilNoLeaks(service: Service, workspace: Workspace): Promise<number> {
  for (const end = performance.now() + LEAK_DEADLINE_MS; ; await sleep(EVERY_MS)) {
    // A connection that ended while its data-sync was handled leaves a row, which goes with the next push to it.
    await workspace.toggle('returns-true');
    const { connections } = service.target;
    const left = connections ? await rows(connections, workspace.envId) : await countedByHost(service.port);
    if (left === 0 || performance.now() > end) return left;
  }
}

async function countedByHost(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^flagwire_connections (\d+)$/m.exec(metrics)?.[1]);
}

async function rows(connections: Connections, envId: string): Promise<number> {
  const shards = await Promise.all(Array.from({ length: SHARDS }, (_, shard) => connections.loadShard(envId, shard)));
  return shards.reduce((total, shard) => total + shard.connections.length, 0);
}
