import { once } from 'node:events';
import { connect } from 'node:net';

/** Loopback addresses. Each has ports for about 28,000 connections on Linux. A Mac has only the first one, with 16,384 ports. */
const LOOPBACK = Array.from({ length: 8 }, (_, n) => `127.0.0.${n + 1}`);

/** The loopback addresses on which a server listens. Connections use them in turn. */
export async function findLoopback(port: number): Promise<string[]> {
  const open = await Promise.all(LOOPBACK.map((host) => isOpen(host, port)));
  return LOOPBACK.filter((_, n) => open[n]);
}

async function isOpen(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port, timeout: 1_000 });
  socket.on('timeout', () => socket.destroy(new Error('timeout')));
  const isConnected = once(socket, 'connect').then(() => true);
  return isConnected.catch(() => false).finally(() => socket.destroy());
}
