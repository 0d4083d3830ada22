import { once } from 'node:events';
import { createServer, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Listening, Service } from './service.ts';
import { answerOtherUpgrades, isWebSocket, serveUpgrades } from './upgrade.ts';
import { createWsUpgrade } from './wsTransport.ts';

/** Serves by Node's HTTP server and the `ws` library. */
export async function serve({ config, app, onOpen, isStopping }: Service): Promise<Listening> {
  const { host, port, reusePort, headersTimeoutMs, unreadPatienceMs } = config;
  const options = { ...timeouts(headersTimeoutMs), shouldUpgradeCallback: isWebSocket };
  const server = createServer(options, answerOtherUpgrades(getRequestListener(app.fetch)));
  serveUpgrades(server, createWsUpgrade(onOpen, unreadPatienceMs), isStopping);
  // For HTTP; WebSockets have a timeout of their own.
  server.setTimeout(unreadPatienceMs);
  server.listen({ host, port, reusePort, backlog: 4_096 });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => void server.close(),
    endAll: () => server.closeAllConnections(),
  };
}

/** Node checks for late requests every 30 seconds unless told otherwise. */
function timeouts(headersTimeout: number): ServerOptions {
  return { headersTimeout, requestTimeout: 3 * headersTimeout, connectionsCheckingInterval: headersTimeout / 4 };
}
