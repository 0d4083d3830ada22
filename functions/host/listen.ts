import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { HostConfig } from './config.ts';
import type { OnOpen } from './transport.ts';
import { answerOtherUpgrades, isWebSocket, serveUpgrades } from './upgrade.ts';
import { createWsUpgrade } from './wsTransport.ts';

/** The settings of {@link listen}. */
type ListenConfig = Pick<HostConfig, 'host' | 'port' | 'reusePort' | 'headersTimeoutMs' | 'unreadPatienceMs'>;

/** Serves HTTP and WebSockets on one port. @returns the server once it listens */
export async function listen(
  { host, port, reusePort, headersTimeoutMs, unreadPatienceMs }: ListenConfig,
  app: Hono,
  onOpen: OnOpen,
  isStopping: () => boolean,
): Promise<Server> {
  const options = { ...timeouts(headersTimeoutMs), shouldUpgradeCallback: isWebSocket };
  const server = createServer(options, answerOtherUpgrades(getRequestListener(app.fetch)));
  serveUpgrades(server, createWsUpgrade(onOpen, unreadPatienceMs), isStopping);
  // For HTTP; WebSockets have a timeout of their own.
  server.setTimeout(unreadPatienceMs);
  server.listen({ host, port, reusePort, backlog: 4_096 });
  await once(server, 'listening');
  return server;
}

/** Node checks for late requests every 30 seconds unless told otherwise. */
function timeouts(headersTimeout: number): ServerOptions {
  return { headersTimeout, requestTimeout: 3 * headersTimeout, connectionsCheckingInterval: headersTimeout / 4 };
}
