import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SHARDS } from '../../../../shared/store/connections/connection.ts';
import type { Connections } from '../../../../shared/store/connections/connections.ts';
import type { Workspace } from '../../conformance/workspace.ts';
import type { Service } from '../service.ts';

/** Maximum time until no connection is left after all clients have left. */
const LEAK_DEADLINE_MS = 30_000;

/** Time between two checks. Each check pushes a change to the connections that are left. */
const EVERY_MS = 1_000;

/** Number of connections that are left, by the source of the count. */
type LeakCounts = Readonly<Record<string, number>>;

/**
 * Waits until no connection is left, counted by the kernel and by the service (the host in its metrics, the gateway in its table of
 * connections).
 *
 * @returns the last counts
 */
export async function waitUntilNoLeaks(service: Service, workspace: Workspace): Promise<LeakCounts> {
  for (const end = performance.now() + LEAK_DEADLINE_MS; ; await sleep(EVERY_MS)) {
    // A connection that ended while its data-sync was handled leaves a row, which goes with the next push to it.
    await workspace.toggle('returns-true');
    // Before the request to the host, which opens a connection.
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

/**
 * Counts the TCP connections of a process at a port that it listens on, without those to itself, which the functions of the
 * gateway have. NaN without /proc.
 */
function openConnections(pid: number, port: number): number {
  try {
    const own = new Set(readdirSync(`/proc/${pid}/fd`).flatMap((fd) => readInode(`/proc/${pid}/fd/${fd}`)));
    const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(readSockets).filter(({ inode }) => own.has(inode));
    const addresses = new Set(sockets.map(({ local }) => local));
    return sockets.filter(({ local, remote, state }) => {
      return state !== LISTENING && Number.parseInt(local.split(':')[1] ?? '', 16) === port && !addresses.has(remote);
    }).length;
  } catch {
    return Number.NaN;
  }
}

const LISTENING = '0A';

/** Reads columns of proc(5): addresses with their ports, the state, and the inode. */
function readSockets(file: string): { local: string; remote: string; state: string; inode: string }[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => {
    const [, local = '', remote = '', state = '', , , , , , inode = ''] = line.trim().split(/\s+/);
    return { local, remote, state, inode };
  });
}

/** The inode of an open socket of a process. @returns nothing for other files and closed sockets */
function readInode(path: string): string[] {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(path)) ?? [];
    return inode === undefined ? [] : [inode];
  } catch {
    return [];
  }
}
