import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answer, type ManagementServices, managedConnectionId, serveManagement } from './connections/managementApi.ts';
import type { HostNames } from './hostNames.ts';
import { isForRoute } from './http/definition.ts';
import type { HttpGateway } from './http/gateway.ts';
import { type OwnRequests, pathOf } from './listen.ts';
import { oneLine } from './log.ts';
import type { WebSocketGateway } from './websocket/gateway.ts';
import { refuseUpgrade } from './websocket/refuse.ts';
import type { RouteServices } from './websocket/route.ts';

/** Dependencies of the gateway server. On AWS each API has its own host. Here they share one, and differ by path. */
interface GatewayServices extends RouteServices, ManagementServices {
  readonly webSockets: readonly WebSocketGateway[];
  readonly httpApis: readonly HttpGateway[];
  /** Accepted host names. */
  readonly hostNames: HostNames;
  /** As in `LocalOptions`. */
  readonly beside?: OwnRequests | undefined;
}

/**
 * Lets `server` serve the gateway: upgrades at `/<stage>`, management at `/<stage>/@connections/…`, and the HTTP APIs
 * at every other path, that with the route `$default` last. A request by another name than its own is refused.
 */
export function serveGateway(server: Server, services: GatewayServices): void {
  const { webSockets, hostNames, log } = services;
  server.on('upgrade', (request, socket, head) => {
    const { host } = request.headers;
    if (!hostNames.include(host)) return refuseUpgrade(socket, 403, hostRefusal(hostNames, host));
    const path = pathOf(request).replace(/\/$/, '');
    const gateway = webSockets.find(({ api }) => path === `/${api.stage}`);
    if (gateway) gateway.upgrade(request, socket as Socket, head);
    else refuseUpgrade(socket, 403, JSON.stringify({ message: 'Forbidden' }));
  });
  server.on('request', (request, response) => {
    const { host } = request.headers;
    if (!hostNames.include(host)) return answer(response, 403, hostRefusal(hostNames, host), { Connection: 'close' });
    serve(request, response, services).catch((error: unknown) => {
      log(`gateway ${request.method} ${pathOf(request)}: ${oneLine(error)}`);
      response.destroy();
    });
  });
  // Malformed HTTP: answered and forgotten.
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
}

function hostRefusal(hostNames: HostNames, host: string | undefined): string {
  return JSON.stringify({ message: `${hostNames.refusal(host)}. Add a name with --host-name <name>` });
}

async function serve(request: IncomingMessage, response: ServerResponse, services: GatewayServices): Promise<void> {
  const path = pathOf(request);
  if (services.beside?.(request, response)) return;
  for (const gateway of services.webSockets) {
    const { stage } = gateway.api;
    const connectionId = managedConnectionId(path, stage);
    if (connectionId !== undefined) return serveManagement(request, response, connectionId, gateway, services);
    if (path.replace(/\/$/, '') === `/${stage}`) return answer(response, 426, '{"message":"Upgrade Required"}');
  }
  const found = services.httpApis
    .filter(({ api }) => isForRoute(api, request.method, path))
    .sort((a, b) => Number(a.api.routeKey === '$default') - Number(b.api.routeKey === '$default'));
  if (found[0]) return found[0].serve(request, response);
  answer(response, 404, '{"message":"Not Found"}');
}
