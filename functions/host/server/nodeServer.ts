import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { requestUnits } from '../budgets/clientBudgets.ts';
import { isHost } from './hostHeader.ts';
import { oneAtATime } from './pipelining.ts';
import type { Listener, Service } from './service.ts';
import type { TlsIdentity } from './tlsFiles.ts';
import { answerOtherUpgrades, isWebSocket, serveUpgrades } from './upgrade.ts';
import { createWsUpgrade } from './wsTransport.ts';

/** Serves with Node's HTTP server and the `ws` library. */
export async function serve(service: Service, tls?: TlsIdentity): Promise<Listener> {
  const { config, app, onOpen, budgets, isUnavailable } = service;
  const { host, port, reusePort, headersTimeoutMs, unreadTimeoutMs } = config;
  const addressOf = ({ socket, headers }: IncomingMessage) =>
    budgets.addressOf(socket.remoteAddress, () => headers['x-forwarded-for']?.toString());
  const options = { ...timeouts(headersTimeoutMs), shouldUpgradeCallback: isWebSocket };
  // The host name for HTTP/1.0 requests without `Host`, such as a load balancer's checks.
  const answer = getRequestListener(
    (request, env) => {
      const { incoming } = env as HttpBindings;
      const address = addressOf(incoming);
      const path = incoming.url?.split('?')[0] ?? '';
      const units = () => requestUnits(path, (name) => incoming.headers[name]?.toString());
      return budgets.answer(address, units, () =>
        app.fetch(request, address === undefined ? env : { ...env, address }),
      );
    },
    { hostname: 'localhost' },
  );
  const listener = oneAtATime(answerOtherUpgrades(refuseImpossibleHosts(answer)), () =>
    budgets.onExceeded('pipelining'),
  );
  const secure = tls && createHttpsServer({ ...options, ...tls, handshakeTimeout: headersTimeoutMs }, listener);
  const server = secure ?? createHttpServer(options, listener);
  serveUpgrades(server, createWsUpgrade(onOpen, addressOf, unreadTimeoutMs), (request) =>
    isUnavailable(addressOf(request)),
  );
  // Applies to HTTP. WebSockets have a separate timeout. Without a listener, Node would also end connections whose
  // first request a busy process has not read yet. Late requests have timeouts of their own.
  server.setTimeout(unreadTimeoutMs, (socket) => {
    if (socket.bytesRead > 0) socket.destroy();
  });
  server.listen({ host, port, reusePort, backlog: 4_096 });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    renew: (identity) => secure?.setSecureContext(identity),
    close: () => void server.close(),
    endAll: () => server.closeAllConnections(),
  };
}

/** The wrapped listener would answer 500. */
function refuseImpossibleHosts(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (isHost(request.headers.host)) return listener(request, response);
    response.writeHead(400, { connection: 'close' }).end();
  };
}

/** Node checks for late requests every 30 seconds by default. */
function timeouts(headersTimeout: number): ServerOptions {
  return { headersTimeout, requestTimeout: 3 * headersTimeout, connectionsCheckingInterval: headersTimeout / 4 };
}
