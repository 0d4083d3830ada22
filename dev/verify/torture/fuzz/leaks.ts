import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SHARDS } from '../../../../shared/store/connections/connection.ts';
import type { Connections } from '../../../../shared/store/connections/connections.ts';
import type { Workspace } from '../../conformance/workspace.ts';
import type { Service } from '../service.ts';
import { openConnections } from './openConnections.ts';

/** How long what is left of connections may take to go when all clients have left. */
const LEAK_DEADLINE_MS = 30_000;

/** Time between two looks, each with a change that is pushed to whatever is left. */
const EVERY_MS = 1_000;

/** What is left of connections, by what counts them. */
type LeakCounts = Readonly<Record<string, number>>;

/**
 * Waits until nothing is left of any connection: as the kernel counts them, and as the service does (the host in its
 * metrics, the gateway in its table of connections).
 *
 * @returns what there was in the end
 */
export async function waitUntilNoLeaks(service: Service, workspace: Workspace): Promise<LeakCounts> {
  for (const end = performance.now() + LEAK_DEADLINE_MS; ; await sleep(EVERY_MS)) {
    // A connection that ended while its data-sync was handled leaves a row, which goes with the next push to it.
    await workspace.toggle('returns-true');
    // Before the host is asked, which takes a socket itself.
    const open = openConnections(service.process.pid, service.port);
    const { connections } = service.target;
    const counted = connections ? await rows(connections, workspace.envId) : await countedByHost(service.port);
    const left = { 'connections by the service’s own count': counted, 'open TCP connections': open };
    if (Object.values(left).every((count) => !(count > 0)) || performance.now() > end) return left;
  }
}

async function countedByHost(port: number): Promise<number> {
  const metrics = await new Promise<string>((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/metrics', agent: false }, (response) => resolve(text(response))).on(
      'error',
      reject,
    );
  });
  return Number(/^flagwire_connections (\d+)$/m.exec(metrics)?.[1]);
}

async function rows(connections: Connections, envId: string): Promise<number> {
  const shards = await Promise.all(Array.from({ length: SHARDS }, (_, shard) => connections.loadShard(envId, shard)));
  return shards.reduce((total, shard) => total + shard.connections.length, 0);
}
