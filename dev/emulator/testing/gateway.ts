import { type HandshakeError, RawSocket } from '../../support/rawSocket.ts';
import { type AwsProfile, awsProfiles } from '../awsProfiles.ts';
import { type Clock, systemClock } from '../clock.ts';
import { serveGateway } from '../gatewayServer.ts';
import { HostNames } from '../hostNames.ts';
import { readHttpApis } from '../http/definition.ts';
import { createHttpGateway } from '../http/gateway.ts';
import { Identities } from '../iam/identities.ts';
import { readFunctions } from '../lambda/definition.ts';
import { createFunctionRegistry } from '../lambda/registry.ts';
import { listen } from '../listen.ts';
import { readModel } from '../template/resolve.ts';
import type { Templates } from '../template/template.ts';
import { createAccountThrottle } from '../throttling/routeThrottle.ts';
import { readWebSocketApis } from '../websocket/definition.ts';
import type { Traffic } from '../websocket/events.ts';
import { createWebSocketGateway, type WebSocketGateway } from '../websocket/gateway.ts';
import { awsLimits } from '../websocket/limits.ts';
import { testAccessKey as accessKey } from './services.ts';
import { exampleTemplates } from './templates.ts';

/** A gateway of the example app on an ephemeral port, without tables or queues. */
export interface TestGateway {
  readonly url: string;
  readonly streamingUrl: string;
  readonly log: readonly string[];
  readonly webSocket: WebSocketGateway;
  close(): Promise<void>;
}

/** Starts a {@link TestGateway}. */
export async function startTestGateway(
  options: { clock?: Clock; templates?: Templates; aws?: AwsProfile; traffic?: Traffic } = {},
): Promise<TestGateway> {
  const { clock = systemClock, templates = exampleTemplates, aws = awsProfiles.default, traffic } = options;
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const listening = await listen(0);
  const url = `http://127.0.0.1:${listening.port}`;
  try {
    const addresses = { gatewayUrl: url, serviceUrl: 'http://127.0.0.1:1', streamArn: () => 'arn:stream' };
    const model = readModel(templates, addresses);
    const identities = new Identities(accessKey);
    const functions = createFunctionRegistry(readFunctions(model), { clock: systemClock, log, identities, ...aws });
    await functions.load();
    const throttle = createAccountThrottle(aws, clock);
    const hostNames = new HostNames(['x']);
    const services = { functions, clock, limits: awsLimits, log, aws, throttle, traffic, hostNames };
    const [webSocket] = readWebSocketApis(model).map((api) => createWebSocketGateway(api, services));
    if (!webSocket) throw new Error('The templates have no WebSocket API');
    const httpApis = readHttpApis(model).shared.map((api) => createHttpGateway(api, services));
    listening.open((server) => serveGateway(server, { ...services, webSockets: [webSocket], identities, httpApis }));
    return {
      url,
      streamingUrl: `ws://127.0.0.1:${listening.port}/streaming`,
      log: lines,
      webSocket,
      async close() {
        await webSocket.close(500);
        await listening.stop(500);
      },
    };
  } catch (error) {
    await listening.stop(0);
    throw error;
  }
}

/** A client that keeps what it hears. */
export type TestClient = Awaited<ReturnType<typeof connectClient>>;

/** Connects a client. @throws HandshakeError when it is refused */
export async function connectClient(url: string, headers: Readonly<Record<string, string>> = {}) {
  const client = await RawSocket.open(url, headers);
  return { socket: client.socket, closed: client.closed, next: () => client.nextText() };
}

/** The answer to a handshake that is refused: status and body. */
export async function refusal(url: string): Promise<Pick<HandshakeError, 'status' | 'body'>> {
  const { status, body } = await new RawSocket(url).opened.then(
    () => {
      throw new Error('The handshake was accepted');
    },
    (error: HandshakeError) => error,
  );
  return { status, body };
}
