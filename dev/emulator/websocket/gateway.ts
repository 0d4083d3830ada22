import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { oneLine } from '../log.ts';
import { type ConnectionFacts, gatewayId } from '../requestContext.ts';
import { createRouteThrottle } from '../throttling/routeThrottle.ts';
import { authorize } from './authorizer.ts';
import type { WebSocketApiDefinition } from './definition.ts';
import { type Disconnection, disconnectEvent, routeArn } from './events.ts';
import { runMock } from './mock.ts';
import { errorFrame, refuseUpgrade } from './refuse.ts';
import { handleMessage, type RouteServices } from './route.ts';
import { type ConnectionTable, startSession } from './session.ts';

/** The data plane of one WebSocket API. */
export type WebSocketGateway = ReturnType<typeof createWebSocketGateway>;

/** Makes the data plane of `api`. */
export function createWebSocketGateway(api: WebSocketApiDefinition, services: RouteServices) {
  const { functions, clock, limits, throttle, log, traffic } = services;
  const admits = createRouteThrottle(api.routeLimits, { ...services.aws, throttle, clock });
  const connections: ConnectionTable = new Map();
  const work = new Set<Promise<void>>();
  let closing = false;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    // API Gateway agrees to a sub-protocol only when a `$connect` integration names it, which a MOCK cannot.
    handleProtocols: () => false,
  });

  /** `promise` never rejects. */
  function track(promise: Promise<void>): Promise<void> {
    work.add(promise);
    void promise.then(() => work.delete(promise));
    return promise;
  }

  async function admit(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const facts = factsOf(request, socket);
    const refuse = (status: number, message: string) => {
      refuseUpgrade(socket, status, errorFrame(message, facts.connectionId, gatewayId()));
      traffic?.refused(status);
    };
    try {
      if (closing) return refuse(503, 'Service Unavailable');
      if (!throttle.connection() || !admits('$connect')) return refuse(429, 'Too Many Requests');
      const result = await runHandshake(api, request, facts, services);
      if (!result.accepted) return refuse(result.status, result.message);
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const { connectionId } = facts;
        const over = Promise.withResolvers<void>();
        void track(over.promise);
        const connection = startSession(webSocket, socket, result.facts, {
          clock,
          limits,
          events: {
            message: (text) => {
              traffic?.received(result.facts, text);
              return track(handleMessage(api, connection, text, { ...services, admits }));
            },
            sent: (text) => traffic?.sent(result.facts, text),
            end: (disconnection) => {
              connections.delete(connectionId);
              traffic?.closed(result.facts, disconnection);
              void track(disconnect(result.facts, disconnection));
              over.resolve();
            },
          },
        });
        connections.set(connectionId, connection);
        traffic?.opened(result.facts);
        if (closing) connection.close(1001, 'Going away');
      });
    } catch (error) {
      log(`websocket ${api.stage}: handshake failed: ${oneLine(error)}`);
      refuse(500, 'Internal server error');
    }
  }

  async function disconnect(facts: ConnectionFacts, disconnection: Disconnection): Promise<void> {
    const integration = api.routes.get('$disconnect')?.integration;
    if (integration?.type !== 'AWS_PROXY') return;
    const event = disconnectEvent(facts, disconnection, clock.now());
    await functions.invoke(integration.functionArn, event, {
      limitMs: integration.timeoutMs,
      by: { service: 'apigateway.amazonaws.com', sourceArn: routeArn(facts, '$disconnect') },
    });
  }

  function factsOf(request: IncomingMessage, socket: Socket): ConnectionFacts {
    const userAgent = request.headers['user-agent'];
    const sourceIp = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
    return {
      apiId: api.apiId,
      stage: api.stage,
      connectionId: gatewayId(),
      connectedAt: clock.now(),
      identity: { ...(userAgent !== undefined && { userAgent }), sourceIp },
    };
  }

  return {
    api,
    connections,
    /** Takes over an upgrade request to the API's stage. */
    upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
      void track(admit(request, socket, head));
    },
    /** Refuses newcomers, closes everyone with 1001 and waits (at most `graceMs`) until they and their events are done. */
    async close(graceMs: number): Promise<void> {
      closing = true;
      for (const connection of connections.values()) connection.close(1001, 'Going away');
      const timer = setTimeout(() => {
        for (const client of server.clients) client.terminate();
      }, graceMs);
      while (work.size > 0) await Promise.all(work);
      clearTimeout(timer);
    },
  };
}

/** The result of a handshake: the facts with the context of the authorizer, or the HTTP answer of a refusal. */
type HandshakeResult =
  | { readonly accepted: true; readonly facts: ConnectionFacts }
  | { readonly accepted: false; readonly status: number; readonly message: string };

/** Runs a handshake up to the point of switching protocols: the authorizer of `$connect`, then its MOCK integration. */
async function runHandshake(
  api: WebSocketApiDefinition,
  request: IncomingMessage,
  facts: ConnectionFacts,
  services: RouteServices,
): Promise<HandshakeResult> {
  const { authorizer, integration } = api.routes.get('$connect') ?? {};
  const authorization = authorizer && (await authorize(authorizer, request, facts, services));
  if (authorization?.allowed === false) return { ...authorization, accepted: false };
  const status = integration?.type === 'MOCK' ? runMock(integration.mock).statusCode : 200;
  if (status < 200 || status > 299) return { accepted: false, status, message: 'Forbidden' };
  return { accepted: true, facts: authorization ? { ...facts, authorizer: authorization.context } : facts };
}
